// The inside of the body: one cube for each point of the simulation, coloured by layer, cut open along an axis.
import { BoxGeometry, Color, InstancedMesh, MeshStandardMaterial } from 'three';
import { layer_color } from './colors';

export interface Inside {
  /** [points * 3] in the bind pose. */
  rest: Float32Array;
  /** [points] */
  layers: Uint8Array;
  /** Names from the bone outwards, bone first. */
  names: string[];
  spacing: number;
}

export interface Cut {
  axis: 0 | 1 | 2;
  /** 0: nothing is cut away, 1: all of it. */
  place: number;
  hidden: Set<string>;
}

export class Voxels {
  readonly mesh: InstancedMesh;
  private shown: Uint32Array = new Uint32Array(0);
  private least = [0, 0, 0];
  private most = [0, 0, 0];

  constructor(private inside: Inside) {
    const n = inside.layers.length;
    const side = inside.spacing * 0.94;
    this.mesh = new InstancedMesh(new BoxGeometry(side, side, side), new MeshStandardMaterial({ roughness: 0.85 }), n);
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    const matrices = this.mesh.instanceMatrix.array as Float32Array;
    for (let i = 0; i < n; i++) matrices[16 * i] = matrices[16 * i + 5] = matrices[16 * i + 10] = matrices[16 * i + 15] = 1;
    for (let axis = 0; axis < 3; axis++) {
      let low = Infinity, high = -Infinity;
      for (let i = axis; i < inside.rest.length; i += 3) {
        low = Math.min(low, inside.rest[i]!);
        high = Math.max(high, inside.rest[i]!);
      }
      this.least[axis] = low - inside.spacing / 2;
      this.most[axis] = high + inside.spacing / 2;
    }
    this.cut({ axis: 2, place: 0, hidden: new Set() });
  }

  /** The side that faces the viewer at the start (+z, +x, +y) is taken away. */
  cut({ axis, place, hidden }: Cut) {
    const { rest, layers, names } = this.inside;
    const limit = this.most[axis]! - place * (this.most[axis]! - this.least[axis]!);
    const shown: number[] = [];
    for (let i = 0; i < layers.length; i++)
      if (rest[3 * i + axis]! <= limit && !hidden.has(names[layers[i]!] ?? '')) shown.push(i);
    this.shown = Uint32Array.from(shown);
    this.mesh.count = shown.length;
    const colors = names.map(layer_color);
    const color = new Color();
    shown.forEach((point, k) => {
      // A little darker here and there, so that single cubes can be told apart.
      const shade = 0.9 + 0.1 * (((point * 2654435761) >>> 24) / 255);
      this.mesh.setColorAt(k, color.copy(colors[layers[point]!] ?? colors[0]!).multiplyScalar(shade));
    });
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }

  get count() {
    return this.shown.length;
  }

  update(points: Float32Array) {
    const matrices = this.mesh.instanceMatrix.array as Float32Array;
    for (let k = 0; k < this.shown.length; k++) {
      const from = 3 * this.shown[k]!, to = 16 * k + 12;
      matrices[to] = points[from]!;
      matrices[to + 1] = points[from + 1]!;
      matrices[to + 2] = points[from + 2]!;
    }
    this.mesh.instanceMatrix.needsUpdate = true;
  }

  dispose() {
    this.mesh.geometry.dispose();
    (this.mesh.material as MeshStandardMaterial).dispose();
    this.mesh.dispose();
  }
}
