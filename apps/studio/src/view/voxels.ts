// The inside of the body: one cube for each point of the simulation, coloured by layer, cut open along an axis.
import { BoxGeometry, Color, InstancedMesh, MeshStandardMaterial } from 'three';
import { layer_color } from './colors';
import { stays_of, type Cut, type InsideView } from './inside';

export interface Inside {
  /** [points * 3] in the bind pose. */
  rest: Float32Array;
  /** [points] */
  layers: Uint8Array;
  /** Names from the bone outwards, bone first. */
  names: string[];
  spacing: number;
}

export class Voxels implements InsideView {
  readonly root: InstancedMesh;
  private shown: Uint32Array = new Uint32Array(0);
  private stays: ReturnType<typeof stays_of>;

  constructor(private inside: Inside) {
    const n = inside.layers.length;
    const side = inside.spacing * 0.94;
    this.root = new InstancedMesh(new BoxGeometry(side, side, side), new MeshStandardMaterial({ roughness: 0.85 }), n);
    this.root.frustumCulled = false;
    this.root.castShadow = this.root.receiveShadow = true;
    const matrices = this.root.instanceMatrix.array as Float32Array;
    for (let i = 0; i < n; i++) matrices[16 * i] = matrices[16 * i + 5] = matrices[16 * i + 10] = matrices[16 * i + 15] = 1;
    this.stays = stays_of(inside.rest, inside.spacing);
  }

  cut(cut: Cut) {
    const { layers, names } = this.inside;
    const stays = this.stays(cut);
    const shown: number[] = [];
    for (let i = 0; i < layers.length; i++) if (stays(i) && !cut.hidden.has(names[layers[i]!] ?? '')) shown.push(i);
    this.shown = Uint32Array.from(shown);
    this.root.count = shown.length;
    const colors = names.map(layer_color);
    const color = new Color();
    shown.forEach((point, k) => {
      // Slightly varied brightness, so that single cubes can be told apart.
      const shade = 0.9 + 0.1 * (((point * 2654435761) >>> 24) / 255);
      this.root.setColorAt(k, color.copy(colors[layers[point]!] ?? colors[0]!).multiplyScalar(shade));
    });
    if (this.root.instanceColor) this.root.instanceColor.needsUpdate = true;
  }

  get count() {
    return this.shown.length;
  }

  update(points: Float32Array) {
    const matrices = this.root.instanceMatrix.array as Float32Array;
    for (let k = 0; k < this.shown.length; k++) {
      const from = 3 * this.shown[k]!, to = 16 * k + 12;
      matrices[to] = points[from]!;
      matrices[to + 1] = points[from + 1]!;
      matrices[to + 2] = points[from + 2]!;
    }
    this.root.instanceMatrix.needsUpdate = true;
  }

  dispose() {
    this.root.geometry.dispose();
    (this.root.material as MeshStandardMaterial).dispose();
    this.root.dispose();
  }
}
