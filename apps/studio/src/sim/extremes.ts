// How far each vertex has swung to either side of its skinned place in the last seconds.
const kept_seconds = 2;

/** One stretch of time: the longest offset of each vertex, and the one that points most against it. */
class Stretch {
  seconds = 0;
  readonly far: Float32Array;
  readonly against: Float32Array;
  private lengths: Float32Array;
  private dots: Float32Array;

  constructor(vertices: number) {
    this.far = new Float32Array(3 * vertices);
    this.against = new Float32Array(3 * vertices);
    this.lengths = new Float32Array(vertices);
    this.dots = new Float32Array(vertices);
  }

  clear() {
    for (const array of [this.far, this.against, this.lengths, this.dots]) array.fill(0);
    this.seconds = 0;
  }

  take(positions: Float32Array, skinned: Float32Array) {
    const { far, against, lengths, dots } = this;
    for (let v = 0; v < lengths.length; v++) {
      const i = 3 * v;
      const x = positions[i]! - skinned[i]!, y = positions[i + 1]! - skinned[i + 1]!, z = positions[i + 2]! - skinned[i + 2]!;
      const square = x * x + y * y + z * z;
      if (square > lengths[v]!) {
        lengths[v] = square;
        far[i] = x, far[i + 1] = y, far[i + 2] = z;
      }
      const dot = x * far[i]! + y * far[i + 1]! + z * far[i + 2]!;
      if (dot < dots[v]!) {
        dots[v] = dot;
        against[i] = x, against[i + 1] = y, against[i + 2] = z;
      }
    }
  }
}

export class Extremes {
  /** The older one is shown while the younger one fills; then they change places. */
  private stretches: [Stretch, Stretch];

  constructor(vertices: number) {
    this.stretches = [new Stretch(vertices), new Stretch(vertices)];
  }

  take(positions: Float32Array, skinned: Float32Array, seconds: number) {
    for (const stretch of this.stretches) {
      stretch.take(positions, skinned);
      stretch.seconds += seconds;
    }
    const [older, younger] = this.stretches;
    if (younger.seconds < kept_seconds / 2) return;
    if (older.seconds < kept_seconds) return;
    older.clear();
    this.stretches = [younger, older];
  }

  /** Two surfaces around the one that is skinned. */
  surfaces(skinned: Float32Array): [Float32Array, Float32Array] {
    const [{ far, against }] = this.stretches;
    const around = (offset: Float32Array) => skinned.map((value, i) => value + offset[i]!);
    return [around(far), around(against)];
  }
}
