// The brush in use: strokes on the skin, shown at once, and given to the simulation when the brush is lifted.
import type { App } from '../app';
import { painted_mask, Softness, type Brush } from './softness';

export class Painting {
  readonly brush: Brush = { radius: 0.08, strength: 0.35, goal: 0, mirrored: true };
  softness: Softness | null = null;
  /** The brush is in use: the skin shows its softness, and drags paint on it. */
  on = false;
  /** [vertices] what the flesh file says, without the brush. */
  private amounts = new Float32Array(0);
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
    if (this.on) await this.start();
    this.show();
  }

  /** Paint is a factor on what the flesh file gives to each part: both together are shown. */
  private async start() {
    const { sim, flesh } = this.app, info = this.app.info!;
    const amounts = await sim.amounts(flesh);
    this.amounts = Float32Array.from(info.mainJoint, (joint) => Math.min(1, amounts[joint] ?? 1));
    this.softness ??= new Softness(info.restPositions, info.size, new Float32Array(info.vertices).fill(1));
  }

  private show() {
    const { softness, amounts } = this;
    const seen = this.on && softness ? softness.values.map((value, v) => value * (amounts[v] ?? 1)) : null;
    this.app.figure.show_softness(seen);
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
