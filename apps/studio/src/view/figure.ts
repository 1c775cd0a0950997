// What stands on the stage: the body with one or two methods, or its inside.
import { Box3, Raycaster, Vector2, Vector3, type Intersection } from 'three';
import type { CharacterInfo, Frame, RigInfo, Survey } from '../sim/api';
import { BallView } from './ball';
import { Body, dispose_sources, type Sources } from './body';
import type { Cut, InsideView } from './inside';
import { Lattice, type LatticeLook } from './lattice';
import { Ghosts, Light, Samples } from './overlays';
import type { Stage } from './stage';
import { Voxels } from './voxels';

export interface Hit { point: Vector3; vertex: number; }
type Triple = [number, number, number];

const vertex_of = ({ face, object }: Intersection) => face!.a + (object.userData.firstVertex as number);

export class Figure {
  inside: InsideView | null = null;
  private a: Body | null = null;
  private b: Body | null = null;
  private rig: RigInfo | null = null;
  private light: Light | null = null;
  private ghosts: Ghosts | null = null;
  private samples: Samples | null = null;
  private ball = new BallView();
  private info: CharacterInfo | null = null;
  private sources: Sources = new Map();
  private placed = false;
  /** Where a link wants the camera, applied once the body is loaded. */
  private wanted_camera: number[] | null = null;

  constructor(private stage: Stage) {
    stage.add(this.ball.root);
  }

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
    this.drop_samples();
    if (rig.samples.length === 0) return;
    this.samples = new Samples(rig.samples);
    this.stage.add(this.samples.root);
  }

  private drop_samples() {
    this.samples?.root.removeFromParent();
    this.samples?.dispose();
    this.samples = null;
  }

  private drop_overlays() {
    for (const overlay of [this.light, this.ghosts]) {
      overlay?.root.removeFromParent();
      overlay?.dispose();
    }
    this.light = this.ghosts = null;
    this.drop_samples();
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
  /** distinct: the values are numbers of joints or domains. samples: are those that carry the surface shown? */
  take_frame(frame: Frame, dt: number, distinct: boolean, samples: boolean) {
    if (this.placed) this.stage.follow(frame.a.positions, dt);
    this.a!.update(frame.a.positions, frame.a.normals, frame.rigid);
    if (!this.softness) this.a!.paint(frame.scalar, distinct);
    this.light?.update(frame.a.positions);
    if (this.samples) this.samples.root.visible = samples;
    if (samples) this.samples?.update(frame.a.positions);
    this.show_extremes(frame.extremes);
    this.ball.update(frame.ball);
    if (!frame.b) return;
    this.b!.update(frame.b.positions, frame.b.normals, frame.rigid);
    this.b!.paint(frame.scalarB ?? frame.scalar, distinct);
  }

  /** Puts the body on the floor and the camera where it sees all that it does. */
  place(survey: Survey) {
    if (!this.info || !this.a) return;
    const body = this.a;
    const moments = survey.map(({ points, rigid }) => Float32Array.from([...points, ...body.rigid_corners(rigid)]));
    this.stage.place(moments.length > 0 ? moments : [this.info.restPositions], this.info.size);
    this.placed = true;
    if (!this.wanted_camera) return;
    const c = this.wanted_camera;
    this.stage.camera.position.set(c[0]!, c[1]!, c[2]!);
    this.stage.controls.target.set(c[3]!, c[4]!, c[5]!);
    this.stage.follow_from(null);
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
    return { point: first.point, vertex: vertex_of(first) };
  }

  /** The middle of the body under a position in the window, from where the ray enters to where it leaves: at rest, and now. */
  through(x: number, y: number): { rest: Triple; now: Triple } | null {
    const box = this.stage.canvas.getBoundingClientRect(), ray = new Raycaster();
    ray.setFromCamera(new Vector2(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2), this.stage.camera);
    if (!this.a || !this.info) return null;
    this.a.refresh_bounds();
    const hits = this.a.both_sides((meshes) => ray.intersectObjects(meshes, false)).filter((hit) => hit.face);
    const [first] = hits, next = hits.find((hit) => hit.distance > hits[0]!.distance + 1e-4) ?? first;
    if (!first || !next) return null;
    const middle = (a: Vector3, b: Vector3) => a.clone().add(b).multiplyScalar(0.5).toArray();
    const rest = (hit: typeof first) => new Vector3().fromArray(this.info!.restPositions, 3 * vertex_of(hit));
    return { rest: middle(rest(first), rest(next)), now: middle(this.stage.world.worldToLocal(first.point.clone()), this.stage.world.worldToLocal(next.point.clone())) };
  }

  /** From a point in the body to the nearest skin, at rest. */
  rest_distance(at: Triple): number {
    const { restPositions: all } = this.info!;
    let least = Infinity;
    for (let i = 0; i < all.length; i += 3) least = Math.min(least, Math.hypot(all[i]! - at[0], all[i + 1]! - at[1], all[i + 2]! - at[2]));
    return least;
  }
}
