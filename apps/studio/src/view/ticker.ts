// The page's own clock: asks for a frame when the last one has arrived, draws what is new, and stays responsive
// meanwhile.
import type { Stage } from './stage';

export interface Ticked {
  /** Starts a frame dt seconds after the last one; resolves when it has arrived. */
  frame(dt: number): Promise<void>;
  draw(): void;
  /** Called when drawing has been simplified. */
  simpler(): void;
}

export class Ticker {
  /** Tests draw on demand. */
  drawing = true;
  /** When the last frame was requested, ms of the page's clock; 0 before the first. */
  last_tick = 0;
  /** There is something new to draw. */
  dirty = true;
  private waiting = false;
  private last_draw = 0;
  private slow_draws = 0;
  private draw_after = 0;

  constructor(private stage: Stage, private page: Ticked) {}

  start() {
    requestAnimationFrame(this.tick);
  }

  private tick = (now: number) => {
    requestAnimationFrame(this.tick);
    const dt = this.last_tick === 0 ? 1 / 60 : (now - this.last_tick) / 1000;
    if (!this.waiting) {
      this.last_tick = now;
      this.waiting = true;
      void this.page.frame(dt).finally(() => { this.waiting = false; });
    }
    this.stage.controls.update();
    this.watch_smoothness(now);
    if (this.drawing && this.dirty && now >= this.draw_after) this.draw_in_time();
  };

  /** With software rendering, at least half of the time is left to the rest of the page. */
  private draw_in_time() {
    const started = performance.now();
    this.page.draw();
    if (!this.stage.software) return;
    this.stage.renderer.getContext().finish();
    const ended = performance.now();
    this.draw_after = ended + (ended - started);
  }

  /** A page that has been drawing too slowly for a while is simplified. */
  private watch_smoothness(now: number) {
    const gap = now - this.last_draw;
    this.last_draw = now;
    if (gap > 500 || this.stage.quality === 'low') return; // hidden, or already as simple as possible
    this.slow_draws = gap > 45 ? this.slow_draws + 1 : Math.max(0, this.slow_draws - 1);
    if (this.slow_draws < 40) return;
    this.stage.set_quality('low');
    this.page.simpler();
  }
}
