// The inside of the body as drawn: voxels of layers, or particles and cells of a lattice. Both can be cut open.
import type { Object3D } from 'three';

/** What the colours inside stand for. */
export type InsideColour = 'layers' | 'bones' | 'joints';

export interface Cut {
  axis: 0 | 1 | 2;
  /** 0: nothing is cut away, 1: everything. */
  place: number;
  /** Names of layers that are not drawn. */
  hidden: Set<string>;
}

export interface InsideView {
  readonly root: Object3D;
  /** The points that are drawn. */
  readonly count: number;
  cut(cut: Cut): void;
  /** points: [points * 3] where they are now. */
  update(points: Float32Array): void;
  dispose(): void;
}

/** The points that the cutting plane keeps; the side of +z, +x or +y is removed. */
export function stays_of(rest: Float32Array, spacing: number): (cut: Cut) => (point: number) => boolean {
  const least = [Infinity, Infinity, Infinity], most = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < rest.length; i++) {
    least[i % 3] = Math.min(least[i % 3]!, rest[i]! - spacing / 2);
    most[i % 3] = Math.max(most[i % 3]!, rest[i]! + spacing / 2);
  }
  return ({ axis, place }) => {
    const limit = most[axis]! - place * (most[axis]! - least[axis]!);
    return (point) => rest[3 * point + axis]! <= limit;
  };
}
