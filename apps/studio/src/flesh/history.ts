// Undo and redo over whole values.
export class History<T> {
  private past: T[] = [];
  private future: T[] = [];

  constructor(private now: T, private changed: () => void) {}

  get value(): T {
    return this.now;
  }
  get canUndo() {
    return this.past.length > 0;
  }
  get canRedo() {
    return this.future.length > 0;
  }

  /** Sets a new value; the old one can be restored. */
  push(value: T) {
    if (JSON.stringify(value) === JSON.stringify(this.now)) return;
    this.past.push(this.now);
    if (this.past.length > 200) this.past.shift();
    this.now = value;
    this.future = [];
    this.changed();
  }
  /** Starts over. */
  restart(value: T) {
    this.past = [];
    this.future = [];
    this.now = value;
    this.changed();
  }
  undo(): boolean {
    const value = this.past.pop();
    if (value === undefined) return false;
    this.future.push(this.now);
    this.now = value;
    this.changed();
    return true;
  }
  /** Goes back to the previous value; it cannot be redone. */
  take_back() {
    const value = this.past.pop();
    if (value === undefined) return;
    this.now = value;
    this.changed();
  }
  redo(): boolean {
    const value = this.future.pop();
    if (value === undefined) return false;
    this.past.push(this.now);
    this.now = value;
    this.changed();
    return true;
  }
}
