// The character as drawn: the file's own materials on vertices written by the simulation.
import {
  BufferAttribute, BufferGeometry, Color, DoubleSide, DynamicDrawUsage, Group, LoadingManager, Mesh, MeshStandardMaterial, Texture, type Material,
  type Object3D,
} from 'three';
import { GLTFLoader, type GLTF } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { texture_finding } from '../files/findings';
import type { CharacterInfo, Part } from '../sim/api';
import { heat_color, index_color } from './colors';

interface DrawnPart {
  part: Part;
  positions: BufferAttribute;
  normals: BufferAttribute;
  colors: BufferAttribute;
  plain: Mesh;
  painted: Mesh;
  material: Material | Material[];
}

export interface Source { geometry: BufferGeometry; material: Material | Material[]; }

export type Sources = Map<string, Source>;

const key = (node: number, mesh: number, primitive: number) => `${node}/${mesh}/${primitive}`;
const glass_material = new MeshStandardMaterial({ color: 0xe8b8a4, roughness: 0.5, transparent: true, opacity: 0.24, depthWrite: false });
const both_sides_material = new MeshStandardMaterial({ side: DoubleSide });
const painted_material = new MeshStandardMaterial({ vertexColors: true, roughness: 0.75, metalness: 0 });

/** The meshes of a file by node, mesh and primitive. */
function find_sources(gltf: GLTF): Map<string, Source> {
  const found = new Map<string, Source>();
  const { associations } = gltf.parser;
  const node_of = (object: Object3D | null): number | undefined =>
    object === null ? undefined : associations.get(object)?.nodes ?? node_of(object.parent);
  for (const scene of gltf.scenes) {
    scene.traverse((object) => {
      const link = associations.get(object);
      if (!(object instanceof Mesh) || link?.meshes === undefined) return;
      found.set(key(node_of(object) ?? -1, link.meshes, link.primitives ?? 0), { geometry: object.geometry, material: object.material });
    });
  }
  return found;
}

/** found: told about textures that cannot be read. */
export async function parse_glb(info: CharacterInfo, found: (problem: string) => void): Promise<Sources> {
  const copy = info.glb.slice().buffer;
  const manager = new LoadingManager();
  manager.onError = (address) => found(texture_finding(address));
  return find_sources(await new GLTFLoader(manager).parseAsync(copy, ''));
}

/** Geometries, materials and textures of a character that is no longer shown. */
export function dispose_sources(sources: Sources) {
  for (const { geometry, material } of sources.values()) {
    geometry.dispose();
    for (const one of [material].flat()) {
      for (const value of Object.values(one)) if (value instanceof Texture) dispose_texture(value);
      one.dispose();
    }
  }
}
function dispose_texture(texture: Texture) {
  texture.dispose();
  const image: unknown = texture.source.data;
  if (image instanceof ImageBitmap) image.close();
}

export class Body {
  readonly root = new Group();
  readonly meshes: Mesh[] = [];
  bare = 0;
  /** [vertices * 3] of the last frame. */
  positions: Float32Array | null = null;
  private parts: DrawnPart[] = [];
  private rigid: Mesh[] = [];
  private painted = false;

  constructor(info: CharacterInfo, sources: Sources) {
    for (const part of info.parts) this.add_part(part, sources.get(key(part.sourceNode, part.mesh, part.primitive)), info);
    for (const part of info.rigidParts) {
      const source = sources.get(key(part.sourceNode, part.mesh, part.primitive));
      const mesh = source ? new Mesh(source.geometry, source.material) : new Mesh();
      mesh.matrixAutoUpdate = false;
      mesh.castShadow = true;
      this.rigid.push(mesh);
      this.root.add(mesh);
    }
  }

  private add_part(part: Part, source: Source | undefined, info: CharacterInfo) {
    const fits = source && source.geometry.attributes.position?.count === part.vertexCount;
    if (!fits) this.bare++;
    const geometry = fits ? source.geometry.clone() : bare_geometry(part, info);
    geometry.morphAttributes = {};
    for (const name of ['tangent', 'skinIndex', 'skinWeight', 'skinIndex_1', 'skinWeight_1']) geometry.deleteAttribute(name);
    const dynamic = () => new BufferAttribute(new Float32Array(part.vertexCount * 3), 3).setUsage(DynamicDrawUsage);
    const positions = dynamic(), normals = dynamic(), colors = dynamic();
    geometry.setAttribute('position', positions);
    geometry.setAttribute('normal', normals);
    const paint = new BufferGeometry();
    paint.setIndex(geometry.index);
    paint.setAttribute('position', positions);
    paint.setAttribute('normal', normals);
    paint.setAttribute('color', colors);

    const plain = new Mesh(geometry, fits ? source.material : new MeshStandardMaterial({ color: 0xcfc6bb, roughness: 0.8 }));
    const painted = new Mesh(paint, painted_material);
    painted.visible = false;
    for (const mesh of [plain, painted]) {
      mesh.frustumCulled = false;
      mesh.castShadow = true;
      mesh.receiveShadow = true;
      mesh.userData.firstVertex = part.firstVertex;
      this.root.add(mesh);
    }
    this.meshes.push(plain);
    this.parts.push({ part, positions, normals, colors, plain, painted, material: plain.material });
  }

  /** Corners of the boxes around the rigid parts, placed by [rigid parts * 12] matrices. */
  rigid_corners(matrices: Float64Array): number[] {
    return this.rigid.flatMap(({ geometry }, i) => {
      if (!geometry.attributes.position) return [];
      if (!geometry.boundingBox) geometry.computeBoundingBox();
      const { min, max } = geometry.boundingBox!, m = matrices.subarray(12 * i, 12 * i + 12);
      return [0, 1, 2, 3, 4, 5, 6, 7].flatMap((corner) => {
        const [x, y, z] = [corner & 1 ? max.x : min.x, corner & 2 ? max.y : min.y, corner & 4 ? max.z : min.z];
        return [0, 4, 8].map((row) => m[row]! * x + m[row + 1]! * y + m[row + 2]! * z + m[row + 3]!);
      });
    });
  }

  update(positions: Float32Array, normals: Float32Array, rigid: Float64Array) {
    (this.positions ??= new Float32Array(positions.length)).set(positions);
    for (const drawn of this.parts) {
      const from = 3 * drawn.part.firstVertex, to = from + 3 * drawn.part.vertexCount;
      (drawn.positions.array as Float32Array).set(positions.subarray(from, to));
      (drawn.normals.array as Float32Array).set(normals.subarray(from, to));
      drawn.positions.needsUpdate = drawn.normals.needsUpdate = true;
    }
    this.rigid.forEach((mesh, i) => {
      const m = rigid.subarray(12 * i, 12 * i + 12);
      mesh.matrix.set(m[0]!, m[1]!, m[2]!, m[3]!, m[4]!, m[5]!, m[6]!, m[7]!, m[8]!, m[9]!, m[10]!, m[11]!, 0, 0, 0, 1);
      mesh.matrixWorldNeedsUpdate = true;
    });
  }

  /** null: the file's own materials. `distinct`: numbers of joints instead of values from 0 to 1. */
  paint(scalar: Float32Array | null, distinct: boolean) {
    this.painted = scalar !== null;
    const color = new Color();
    for (const drawn of this.parts) {
      drawn.plain.visible = !this.painted;
      drawn.painted.visible = this.painted;
      if (scalar === null) continue;
      const out = drawn.colors.array as Float32Array;
      for (let v = 0; v < drawn.part.vertexCount; v++) {
        const value = scalar[drawn.part.firstVertex + v]!;
        (distinct ? index_color(value, color) : heat_color(value, color)).toArray(out, 3 * v);
      }
      drawn.colors.needsUpdate = true;
    }
  }

  /** Skin that the inside shines through. */
  glass(on: boolean) {
    for (const drawn of this.parts) {
      drawn.plain.material = on ? glass_material : drawn.material;
      drawn.plain.castShadow = !on;
      drawn.plain.visible = on || !this.painted;
      drawn.painted.visible = !on && this.painted;
    }
    for (const mesh of this.rigid) mesh.visible = !on;
  }

  /** While `work` casts rays, they also meet the skin from inside. */
  both_sides<T>(work: (meshes: Mesh[]) => T): T {
    const before = this.meshes.map((mesh) => mesh.material);
    const root_was = this.root.visible;
    for (const mesh of this.meshes) mesh.material = both_sides_material;
    this.root.visible = true;
    const found = work(this.meshes);
    this.meshes.forEach((mesh, k) => { mesh.material = before[k]!; });
    this.root.visible = root_was;
    return found;
  }

  /** Updates the bounds before a ray is cast. */
  refresh_bounds() {
    for (const { plain } of this.parts) plain.geometry.computeBoundingSphere();
  }

  dispose() {
    for (const { plain, painted } of this.parts) {
      plain.geometry.dispose();
      painted.geometry.dispose();
    }
  }
}

/** Fallback where three.js and Fascia read a part differently: its triangles without a material. */
function bare_geometry(part: Part, info: CharacterInfo): BufferGeometry {
  const from = 3 * part.firstTriangle;
  const triangles = info.triangleIndices.slice(from, from + 3 * part.triangleCount).map((v) => v - part.firstVertex);
  return new BufferGeometry().setIndex(new BufferAttribute(triangles, 1));
}
