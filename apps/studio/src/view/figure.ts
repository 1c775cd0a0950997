// What stands on the stage: the body with one or two methods, or its inside.
import { Box3, Raycaster, Vector2, Vector3 } from 'three';
import type { CharacterInfo, Frame, RigInfo } from '../sim/api';
import { Body, dispose_sources, type Sources } from './body';
import type { Cut, InsideView } from './inside';
import { Lattice, type LatticeLook } from './lattice';
import { Ghosts, Light } from './overlays';
import type { Stage } from './stage';
import { Voxels } from './voxels';

export interface Hit { point: Vector3; vertex: number; }

export class Figure {
  inside: InsideView | null = null;
  private a: Body | null = null;
  private b: Body | null = null;
  private rig: RigInfo | null = null;
  private light: Light | null = null;
  private ghosts: Ghosts | null = null;
  private info: CharacterInfo | null = null;
  private sources: Sources = new Map();
  private placed = false;
  /** Where a link wants the camera, applied once the body is loaded. */
  private wanted_camera: number[] | null = null;

  constructor(private stage: Stage) {}

  take_character(info: CharacterInfo, sources: Sources, camera: number[] | null, backwards: boolean) {
    for (const body of [this.a, this.b]) {
      body?.root.removeFromParent();
      body?.dispose();
    }
    dispose_sources(this.sources);
    this.sources = sources;
    this.drop_inside();
    this.a = new Body(info, sources);
    this.b = new Body(info, sources);
    for (const body of [this.a, this.b]) {
      body.root.visible = false;
      this.stage.add(body.root);
    }
    this.info = info;
    this.drop_overlays();
    this.light = new Light(info);
    this.stage.add(this.light.root);
    this.placed = false;
    this.wanted_camera = camera;
    if (!camera) this.stage.home(backwards);
  }

  take_rig(rig: RigInfo) {
    this.rig = rig;
    this.drop_inside();
  }

  private drop_overlays() {
    for (const overlay of [this.light, this.ghosts]) {
      overlay?.root.removeFromParent();
      overlay?.dispose();
    }
    this.light = this.ghosts = null;
  }

  /** Lights up the skin of these joints. */
  light_up(joints: number[]) {
    this.light?.show(joints);
    const positions = this.a?.positions;
    if (positions) this.light?.update(positions);
  }

  /** Colours the skin by its softness instead of what frames say; null: stops doing so. */
  show_softness(values: Float32Array | null) {
    this.softness = values;
    if (values) this.a?.paint(values, false);
  }
  private softness: Float32Array | null = null;

  /** Where a vertex is now, in the scene. */
  place_of(vertex: number): Vector3 {
    const positions = this.a?.positions;
    return positions ? this.stage.world.localToWorld(new Vector3().fromArray(positions, 3 * vertex)) : new Vector3();
  }

  /** Around the body as it is now, in the scene. */
  box(): Box3 | null {
    const positions = this.a?.positions;
    return positions ? new Box3().setFromArray(positions).applyMatrix4(this.stage.world.matrixWorld) : null;
  }

  private show_extremes(surfaces: Float32Array[] | null) {
    if (surfaces && !this.ghosts && this.info) {
      this.ghosts = new Ghosts(this.info);
      this.stage.add(this.ghosts.root);
    }
    if (surfaces) this.ghosts?.update(surfaces);
    if (this.ghosts) this.ghosts.root.visible = surfaces !== null;
  }

  drop_inside() {
    this.inside?.root.removeFromParent();
    this.inside?.dispose();
    this.inside = null;
    this.last_cut = '';
  }

  home(backwards: boolean) {
    this.stage.home(backwards);
    this.placed = false;
  }

  /** Parts whose material could not be found in the file. */
  get bare_parts() {
    return this.a?.bare ?? 0;
  }

  // ---- frames --------------------------------------------------------------------------------------------------
  /** distinct: the values are joint numbers. */
  take_frame(frame: Frame, dt: number, size: number, distinct: boolean) {
    if (!this.placed) this.place(frame, size);
    this.stage.follow(frame.a.positions, dt);
    this.a!.update(frame.a.positions, frame.a.normals, frame.rigid);
    if (!this.softness) this.a!.paint(frame.scalar, distinct);
    this.light?.update(frame.a.positions);
    this.show_extremes(frame.extremes);
    if (!frame.b) return;
    this.b!.update(frame.b.positions, frame.b.normals, frame.rigid);
    this.b!.paint(frame.scalarB ?? frame.scalar, distinct);
  }

  private place(frame: Frame, size: number) {
    this.stage.place(frame.a.positions, size);
    this.placed = true;
    if (!this.wanted_camera) return;
    const c = this.wanted_camera;
    this.stage.camera.position.set(c[0]!, c[1]!, c[2]!);
    this.stage.controls.target.set(c[3]!, c[4]!, c[5]!);
    this.wanted_camera = null;
  }

  show_points(points: Float32Array, cut: Cut, look: LatticeLook) {
    const { rig } = this;
    if (!rig || points.length !== 3 * rig.insidePoints) return;
    if (!this.inside) {
      const inside = { rest: rig.restPoints, layers: rig.pointLayers, names: rig.layers.map((l) => l.name), spacing: rig.pointSpacing };
      const { parts, cells } = rig;
      this.inside = parts || cells.length > 0 ? new Lattice({ ...inside, parts, cells }, look) : new Voxels(inside);
      this.inside.cut(cut);
      this.stage.add(this.inside.root);
    }
    this.inside.update(points);
    this.last_points = points.slice();
  }
  private last_points: Float32Array | null = null;

  /** Moves the cutting plane: points that appear are drawn where they were last. */
  cut(cut: Cut) {
    const key = [cut.axis, cut.place, ...cut.hidden].join(' ');
    if (!this.inside || key === this.last_cut) return;
    this.last_cut = key;
    this.inside.cut(cut);
    if (this.last_points) this.inside.update(this.last_points);
  }
  private last_cut = '';

  /** skin: how the skin is shown over the inside. */
  draw(show_inside: boolean, split: number | null, skin: 'none' | 'glass' = 'none') {
    const inside = show_inside && this.inside !== null;
    const glass = inside && skin === 'glass';
    if (this.inside) this.inside.root.visible = inside;
    this.a?.glass(glass);
    this.stage.render(this.placed ? split : null, (side) => {
      if (this.a) this.a.root.visible = this.placed && (!inside || glass) && side === 'a';
      if (this.b) this.b.root.visible = this.placed && !inside && side === 'b';
    });
  }

  // ---- by hand -------------------------------------------------------------------------------------------------
  /** The point of the skin under a position in the window; right of the divider, that of the second body. */
  hit(x: number, y: number, split: number | null): Hit | null {
    const box = this.stage.canvas.getBoundingClientRect();
    const across = (x - box.left) / box.width;
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2(across * 2 - 1, 1 - ((y - box.top) / box.height) * 2), this.stage.camera);
    const body = split !== null && across > split ? this.b : this.a;
    if (!body) return null;
    body.refresh_bounds();
    const was = body.root.visible;
    body.root.visible = true;
    const [first] = ray.intersectObjects(body.meshes, false);
    body.root.visible = was;
    if (!first?.face) return null;
    return { point: first.point, vertex: first.face.a + (first.object.userData.firstVertex as number) };
  }
}
