// What is drawn over the body: the part that is picked, the extremes of the swing, samples of the surface.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Group, Mesh, MeshBasicMaterial, Points, PointsMaterial } from 'three';
import type { CharacterInfo } from '../sim/api';

/** Where a ghost lies on the body itself, the body is seen. */
const behind = { polygonOffset: true, polygonOffsetFactor: 3, polygonOffsetUnits: 300 };
const never_picked = () => {};

/** Lights up the skin that one joint carries, and that of its mirror image. */
export class Light {
  readonly root: Mesh;
  private positions: BufferAttribute;
  private material = new MeshBasicMaterial({
    color: 0xff7a50, transparent: true, opacity: 0.26, depthWrite: false, polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -2 });

  constructor(private info: CharacterInfo) {
    this.positions = new BufferAttribute(new Float32Array(3 * info.vertices), 3).setUsage(DynamicDrawUsage);
    this.root = new Mesh(new BufferGeometry().setAttribute('position', this.positions), this.material);
    this.root.frustumCulled = false;
    this.root.visible = false;
    this.root.raycast = never_picked;
  }

  show(joints: number[]) {
    const { triangleIndices: all, mainJoint } = this.info;
    const chosen: number[] = [];
    const held = (vertex: number) => (joints.includes(mainJoint[vertex]!) ? 1 : 0);
    for (let i = 0; i < all.length; i += 3)
      if (held(all[i]!) + held(all[i + 1]!) + held(all[i + 2]!) >= 2) chosen.push(all[i]!, all[i + 1]!, all[i + 2]!);
    this.root.geometry.setIndex(new BufferAttribute(Uint32Array.from(chosen), 1));
    this.root.visible = chosen.length > 0;
  }

  update(positions: Float32Array) {
    if (!this.root.visible) return;
    (this.positions.array as Float32Array).set(positions);
    this.positions.needsUpdate = true;
  }

  dispose() {
    this.root.geometry.dispose();
    this.material.dispose();
  }
}

/** Dots where the surface is sampled; they ride along on the nearest vertices. */
export class Samples {
  readonly root: Points;
  private positions: BufferAttribute;
  private material = new PointsMaterial({ color: 0x15181c, size: 5, sizeAttenuation: false });

  constructor(private vertices: Uint32Array) {
    this.positions = new BufferAttribute(new Float32Array(3 * vertices.length), 3).setUsage(DynamicDrawUsage);
    this.root = new Points(new BufferGeometry().setAttribute('position', this.positions), this.material);
    this.root.frustumCulled = false;
    this.root.visible = false;
    this.root.raycast = never_picked;
  }

  update(positions: Float32Array) {
    const out = this.positions.array as Float32Array;
    this.vertices.forEach((v, k) => out.set(positions.subarray(3 * v, 3 * v + 3), 3 * k));
    this.positions.needsUpdate = true;
  }

  dispose() {
    this.root.geometry.dispose();
    this.material.dispose();
  }
}

/** Two clear skins where the flesh was at the ends of its swing. */
export class Ghosts {
  readonly root = new Group();
  private skins: { positions: BufferAttribute; mesh: Mesh }[];

  constructor(info: CharacterInfo) {
    const triangles = new BufferAttribute(info.triangleIndices, 1);
    this.skins = [0xf0795c, 0x3b75b8].map((color) => {
      const positions = new BufferAttribute(new Float32Array(3 * info.vertices), 3).setUsage(DynamicDrawUsage);
      const mesh = new Mesh(new BufferGeometry().setAttribute('position', positions).setIndex(triangles),
        new MeshBasicMaterial({ color, transparent: true, opacity: 0.34, depthWrite: false, ...behind }));
      mesh.frustumCulled = false;
      mesh.raycast = never_picked;
      this.root.add(mesh);
      return { positions, mesh };
    });
  }

  update(surfaces: Float32Array[]) {
    this.skins.forEach(({ positions }, i) => {
      (positions.array as Float32Array).set(surfaces[i]!);
      positions.needsUpdate = true;
    });
  }

  dispose() {
    for (const { mesh } of this.skins) {
      mesh.geometry.dispose();
      (mesh.material as MeshBasicMaterial).dispose();
    }
  }
}
