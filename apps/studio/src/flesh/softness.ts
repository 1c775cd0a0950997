// How soft each vertex is, painted by hand: 1 swings freely, 0 not at all. Strokes can be undone.
type Point = ArrayLike<number>;

export interface Brush {
  /** Of the character's size. */
  radius: number;
  /** Share of the way to the goal that a touch in the middle takes. */
  strength: number;
  /** 1 softens, 0 stiffens. */
  goal: 0 | 1;
  /** Also on the other side of the body. */
  mirrored: boolean;
}

/** The name under which the flesh finds it: the red of the second vertex colour. */
export const painted_mask = 'COLOR_1.r';

const most_strokes = 60;

export class Softness {
  values: Float32Array;
  private past: Float32Array[] = [];
  private future: Float32Array[] = [];

  /** rest: [vertices * 3]; size: of the character; start: what is not painted. */
  constructor(private rest: Float32Array, private size: number, start: Float32Array) {
    this.values = start.slice();
  }

  get can_undo() {
    return this.past.length > 0;
  }

  begin_stroke() {
    this.past.push(this.values.slice());
    if (this.past.length > most_strokes) this.past.shift();
    this.future = [];
  }
  undo(): boolean {
    const last = this.past.pop();
    if (!last) return false;
    this.future.push(this.values);
    this.values = last;
    return true;
  }
  redo(): boolean {
    const next = this.future.pop();
    if (!next) return false;
    this.past.push(this.values);
    this.values = next;
    return true;
  }

  touch(vertex: number, brush: Brush) {
    const at = this.rest.subarray(3 * vertex, 3 * vertex + 3);
    this.touch_around(at, brush);
    if (brush.mirrored) this.touch_around([2 * this.middle - at[0]!, at[1]!, at[2]!], brush);
  }

  /** Where left and right meet. */
  private get middle(): number {
    let least = Infinity, most = -Infinity;
    for (let i = 0; i < this.rest.length; i += 3) {
      least = Math.min(least, this.rest[i]!);
      most = Math.max(most, this.rest[i]!);
    }
    return (least + most) / 2;
  }

  private touch_around(at: Point, { radius, strength, goal }: Brush) {
    const reach = (radius * this.size) ** 2;
    for (let v = 0; v < this.values.length; v++) {
      const i = 3 * v;
      const square = (this.rest[i]! - at[0]!) ** 2 + (this.rest[i + 1]! - at[1]!) ** 2 + (this.rest[i + 2]! - at[2]!) ** 2;
      if (square >= reach) continue;
      const share = strength * (1 - square / reach) ** 2;
      this.values[v]! += (goal - this.values[v]!) * share;
    }
  }

  fill(value: number) {
    this.begin_stroke();
    this.values = new Float32Array(this.values.length).fill(value);
  }
}
