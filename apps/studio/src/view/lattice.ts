// A lattice as drawn: particles as small balls, cells as the deformed blocks between them, coloured by body part.
import {
  BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, Group, IcosahedronGeometry, InstancedMesh, LineBasicMaterial, LineSegments,
  Mesh, MeshStandardMaterial,
} from 'three';
import type { PartsInfo } from '../sim/api';
import { index_color, layer_color } from './colors';
import { stays_of, type Cut, type InsideColour, type InsideView } from './inside';

export interface LatticeInside {
  /** [points * 3] in the bind pose. */
  rest: Float32Array;
  /** [points] */
  layers: Uint8Array;
  /** From the bone outwards. */
  names: string[];
  spacing: number;
  parts: PartsInfo | null;
  /** [cells * 8] points; corners by bits, 1 for the upper side along x, 2 y, 4 z. */
  cells: Uint32Array;
}

export interface LatticeLook { colour: InsideColour; particles: boolean; cells: boolean; }

// Corners of the six sides of a cell, counter-clockwise seen from outside; corners by bits: 1 x, 2 y, 4 z.
const sides: [number, number, number, number][] = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
const two_triangles = [0, 1, 2, 0, 2, 3];

/** [cells * 6] the neighbour across each side, -1 for none. A square is identified by one of its diagonals. */
function cells_beside(cells: Uint32Array, points: number): Int32Array {
  const beside = new Int32Array((cells.length / 8) * 6).fill(-1);
  const met = new Map<number, number>();
  for (let cell = 0; 8 * cell < cells.length; cell++) {
    sides.forEach(([from, , to], k) => {
      const p = cells[8 * cell + from]!, q = cells[8 * cell + to]!;
      const diagonal = Math.min(p, q) * points + Math.max(p, q), side = 6 * cell + k;
      const other = met.get(diagonal);
      if (other === undefined) return void met.set(diagonal, side);
      beside[side] = Math.floor(other / 6);
      beside[other] = cell;
    });
  }
  return beside;
}

export class Lattice implements InsideView {
  readonly root = new Group();
  private balls: InstancedMesh;
  private blocks = new Mesh(new BufferGeometry(), new MeshStandardMaterial({ vertexColors: true, roughness: 0.85, flatShading: true }));
  private edges: LineSegments;
  private shown: Uint32Array = new Uint32Array(0);
  /** [corners of drawn sides] the particle at each. */
  private corner_points: Uint32Array = new Uint32Array(0);
  private places: BufferAttribute;
  private stays: ReturnType<typeof stays_of>;
  private beside: Int32Array;

  constructor(private inside: LatticeInside, private look: LatticeLook) {
    const n = inside.layers.length;
    // Balls may be larger where no blocks are drawn.
    this.balls = new InstancedMesh(new IcosahedronGeometry(inside.spacing * (look.cells ? 0.17 : 0.3), 1), new MeshStandardMaterial({ roughness: 0.5 }), n);
    const matrices = this.balls.instanceMatrix.array as Float32Array;
    for (let i = 0; i < n; i++) matrices[16 * i] = matrices[16 * i + 5] = matrices[16 * i + 10] = matrices[16 * i + 15] = 1;
    this.places = new BufferAttribute(new Float32Array(3 * n), 3).setUsage(DynamicDrawUsage);
    this.edges = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color: 0x17120e, transparent: true, opacity: 0.38 }));
    // Lines are drawn on the blocks, not inside them.
    Object.assign(this.blocks.material, { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    this.balls.visible = look.particles;
    this.blocks.visible = this.edges.visible = look.cells;
    for (const object of [this.balls, this.blocks, this.edges]) object.frustumCulled = false;
    for (const mesh of [this.balls, this.blocks]) mesh.castShadow = mesh.receiveShadow = true;
    this.root.add(this.balls, this.blocks, this.edges);
    this.stays = stays_of(inside.rest, inside.spacing);
    this.beside = cells_beside(inside.cells, n);
  }

  get count() {
    return this.shown.length;
  }

  cut(cut: Cut) {
    const { layers, names } = this.inside;
    const stays = this.stays(cut);
    const visible = new Uint8Array(layers.length);
    for (let i = 0; i < layers.length; i++) visible[i] = stays(i) && !cut.hidden.has(names[layers[i]!] ?? '') ? 1 : 0;
    this.build_cells(visible);
    this.shown = Uint32Array.from(visible.keys()).filter((i) => visible[i] === 1);
    // Blocks hide what is behind them: only particles on visible sides can be seen. A single layer has no blocks.
    const on_sides = new Set(this.corner_points);
    const alone = !this.look.cells || cut.hidden.size > 0;
    this.ball_points = alone ? this.shown : this.shown.filter((i) => on_sides.has(i));
    this.balls.count = this.ball_points.length;
    const color = new Color();
    this.ball_points.forEach((point, k) => this.balls.setColorAt(k, this.color_of(point, color).multiplyScalar(this.look.cells ? 0.72 : 1)));
    if (this.balls.instanceColor) this.balls.instanceColor.needsUpdate = true;
  }
  private ball_points: Uint32Array = new Uint32Array(0);

  /** The sides that no other visible cell shares, and their edges. */
  private build_cells(visible: Uint8Array) {
    const { cells } = this.inside;
    const whole = new Uint8Array(cells.length / 8);
    for (let c = 0; c < whole.length; c++) whole[c] = cells.subarray(8 * c, 8 * c + 8).every((p) => visible[p] === 1) ? 1 : 0;
    const corners: number[] = [], colors: number[] = [], index: number[] = [];
    const lines = new Set<number>(), n = visible.length;
    const color = new Color();
    for (let c = 0; c < whole.length; c++) {
      if (whole[c] === 0) continue;
      this.color_of(this.part_of_cell(cells.subarray(8 * c, 8 * c + 8)), color);
      for (let k = 0; k < 6; k++) {
        const other = this.beside[6 * c + k]!;
        if (other >= 0 && whole[other] === 1) continue;
        const side = sides[k]!.map((corner) => cells[8 * c + corner]!);
        for (const t of two_triangles) index.push(corners.length + t);
        corners.push(...side);
        for (let i = 0; i < 4; i++) {
          colors.push(color.r, color.g, color.b);
          const p = side[i]!, q = side[(i + 1) % 4]!;
          lines.add(Math.min(p, q) * n + Math.max(p, q));
        }
      }
    }
    this.corner_points = Uint32Array.from(corners);
    for (const object of [this.blocks, this.edges]) object.geometry.dispose();
    this.blocks.geometry = new BufferGeometry();
    this.blocks.geometry.setIndex(index);
    this.blocks.geometry.setAttribute('position', new BufferAttribute(new Float32Array(3 * corners.length), 3).setUsage(DynamicDrawUsage));
    this.blocks.geometry.setAttribute('color', new BufferAttribute(Float32Array.from(colors), 3));
    this.edges.geometry = new BufferGeometry();
    this.edges.geometry.setAttribute('position', this.places);
    this.edges.geometry.setIndex([...lines].flatMap((line) => [Math.floor(line / n), line % n]));
  }

  /** The particle that gives a cell its colour: one of the part that most of its corners belong to. */
  private part_of_cell(corners: Uint32Array): number {
    const part = (p: number) => this.group(p);
    let best = corners[0]!, most = 0;
    for (const p of corners) {
      let same = 0;
      for (const q of corners) if (part(p) === part(q)) same++;
      if (same > most) [most, best] = [same, p];
    }
    return best;
  }

  private group(point: number): number {
    const { parts, layers } = this.inside;
    return this.look.colour === 'layers' || !parts ? layers[point]! : parts[this.look.colour][point]!;
  }

  private color_of(point: number, out: Color): Color {
    const group = this.group(point);
    return this.look.colour === 'layers' || !this.inside.parts ? out.copy(layer_color(this.inside.names[group] ?? '')) : index_color(group, out);
  }

  update(points: Float32Array) {
    const matrices = this.balls.instanceMatrix.array as Float32Array;
    for (let k = 0; k < this.ball_points.length; k++) {
      const from = 3 * this.ball_points[k]!;
      matrices.set(points.subarray(from, from + 3), 16 * k + 12);
    }
    this.balls.instanceMatrix.needsUpdate = true;
    (this.places.array as Float32Array).set(points);
    this.places.needsUpdate = true;
    const block_places = this.blocks.geometry.getAttribute('position') as BufferAttribute | undefined;
    if (!block_places) return;
    const out = block_places.array as Float32Array;
    for (let k = 0; k < this.corner_points.length; k++) {
      const from = 3 * this.corner_points[k]!;
      out.set(points.subarray(from, from + 3), 3 * k);
    }
    block_places.needsUpdate = true;
  }

  dispose() {
    for (const object of [this.balls, this.blocks, this.edges]) {
      object.geometry.dispose();
      (object.material as MeshStandardMaterial).dispose();
    }
    this.balls.dispose();
  }
}
