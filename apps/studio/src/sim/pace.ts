// How much simulation the machine can keep up with: all steps, fewer, or plain skinning. Goes back up when there is
// time.
import type { Level } from './api';

const levels: Level[] = ['full', 'fewer', 'skinning'];
const too_much = 0.9; // share of the clock that the worker may use
const plenty = 0.35; // twice the work would still fit
const drop_after = 0.8; // seconds
const rise_after = 3;

export class Pace {
  level: Level = 'full';
  private busy = 0;
  private idle = 0;
  private resting = 0;
  private patience = rise_after;

  /** `load`: working time divided by the time that passed. Returns true if the level changed. */
  note(load: number, dt: number): boolean {
    this.busy = load > too_much ? this.busy + dt : Math.max(0, this.busy - 2 * dt);
    this.idle = load < plenty ? this.idle + dt : 0;
    if (this.level === 'skinning') {
      // The load of skinning says nothing about the cost of the flesh: try again, each time after a longer pause.
      this.resting += dt;
      if (this.resting > this.patience && load < plenty) {
        this.patience = Math.min(60, this.patience * 2);
        return this.change(-1);
      }
      return false;
    }
    if (this.busy > drop_after) return this.change(1);
    if (this.level === 'fewer' && this.idle > rise_after) return this.change(-1);
    if (this.level === 'full' && this.idle > 10) this.patience = rise_after;
    return false;
  }

  private change(by: number): boolean {
    const next = levels[levels.indexOf(this.level) + by];
    if (next === undefined) return false;
    this.level = next;
    this.busy = this.idle = this.resting = 0;
    return true;
  }
}
