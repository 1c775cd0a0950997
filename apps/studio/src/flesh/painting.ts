// The brush in use: strokes on the skin, shown at once, and given to the simulation when the brush is lifted.
import type { App } from '../app';
import { painted_mask, Softness, type Brush } from './softness';

export class Painting {
  readonly brush: Brush = { radius: 0.08, strength: 0.35, goal: 0, mirrored: true };
  softness: Softness | null = null;
  /** The brush is in the hand: the skin shows its softness, and drags paint. */
  on = false;
  private stroking = false;

  constructor(private app: App) {}

  /** A new character is unpainted, unless the browser has kept what was painted on it. */
  take_character(painted: Float32Array | null) {
    const info = this.app.info!;
    this.on = this.stroking = false;
    this.softness = painted && painted.length === info.vertices ? new Softness(info.restPositions, info.size, painted) : null;
    this.show();
  }

  async toggle() {
    this.on = !this.on;
    if (this.on) this.softness ??= await this.start();
    this.show();
  }

  /** Before anything is painted: as soft as the flesh file lets each part be. */
  private async start(): Promise<Softness> {
    const { info, sim, flesh } = this.app;
    const amounts = await sim.amounts(flesh);
    const start = Float32Array.from(info!.mainJoint, (joint) => Math.min(1, amounts[joint] ?? 1));
    return new Softness(info!.restPositions, info!.size, start);
  }

  private show() {
    this.app.figure.show_softness(this.on ? (this.softness?.values ?? null) : null);
    this.app.ticker.dirty = true;
    this.app.events.emit('painting', undefined);
  }

  stroke_start(vertex: number) {
    if (!this.softness) return;
    this.stroking = true;
    this.softness.begin_stroke();
    this.stroke_on(vertex);
  }
  stroke_on(vertex: number) {
    if (!this.stroking || !this.softness) return;
    this.softness.touch(vertex, this.brush);
    this.show();
  }
  async stroke_end() {
    if (!this.stroking) return;
    this.stroking = false;
    await this.apply();
  }

  async undo() {
    if (this.softness?.undo()) await this.apply();
  }
  async redo() {
    if (this.softness?.redo()) await this.apply();
  }
  async fill(value: number) {
    this.softness?.fill(value);
    await this.apply();
  }

  private async apply() {
    this.show();
    const { app } = this;
    await app.sim.paint(this.softness!.values.slice());
    await app.use_painted(painted_mask);
    await app.recent.keep_painted(app.source, this.softness!.values);
  }
}
