// Posing by handles: what is chosen, what the pointer does, and the document that all of it changes.
import { Quaternion, Vector3 } from 'three';
import type { App } from '../app';
import { History } from '../flesh/history';
import type { CharacterInfo, Frame } from '../sim/api';
import { HandleMarks } from '../view/handle_marks';
import {
  from_joints, in_order_of, key_near, motion_of, per_handle, pose_at, structure_of, with_ease, with_handle, with_held, with_key, with_length, with_link,
  with_pose, without_handle, without_key, type Ease, type Point, type Pose, type PoseDocument,
} from './document';

export type Tool = 'move' | 'turn' | 'add' | 'link';
export type Along = 'view' | 'x' | 'y' | 'z' | 'ground';

const nothing: PoseDocument = { handles: [], pose: [], keys: [], length: 2 };

export class Posing {
  /** The pose tab is open, and the body has handles. */
  on = false;
  tool: Tool = 'move';
  along: Along = 'view';
  chosen = -1;
  readonly marks = new HandleMarks();
  private history: History<PoseDocument>;
  /** The structure that is bound, as text. */
  private bound = '';
  private dragged: Pose | null = null;
  private applying = false;
  private again = false;
  private restructuring = false;

  constructor(private app: App) {
    this.history = new History(nothing, () => this.changed());
    app.stage.add(this.marks.root);
  }

  take_frame({ handles }: Frame) {
    if (!this.on || handles?.length !== 3 * this.document.handles.length) return;
    this.marks.update(this.document.handles, handles, this.chosen, this.app.stage.renderer.getPixelRatio());
  }

  get document(): PoseDocument {
    return this.history.value;
  }
  get has_handles() {
    return this.document.handles.length > 0;
  }
  get time() {
    return this.document.keys.length > 0 ? (this.app.last?.time ?? 0) : 0;
  }
  /** The key at this time; -1 if there is none. */
  get key() {
    return key_near(this.document, this.time, 0.5 / 30);
  }
  /** The body is being bound to other handles. */
  get busy() {
    return this.restructuring;
  }
  get canUndo() {
    return this.history.canUndo;
  }
  get canRedo() {
    return this.history.canRedo;
  }

  // ---- which body ----------------------------------------------------------------------------------------------
  /** A new character: its handles, if it has been given some. */
  async take_character(info: CharacterInfo) {
    this.chosen = -1;
    this.dragged = null;
    this.history.restart(info.posed ? from_joints(info.joints) : nothing);
    this.bound = JSON.stringify(structure_of(this.document));
    this.show(info.posed);
    if (info.posed) await this.apply();
  }

  /** Finds handles in the body that is open; `count` of them, or as many as its shape suggests. */
  async find(count = 0) {
    try {
      await this.app.give_handles({ count });
    } catch (problem) {
      this.app.complain(problem);
    }
  }

  /** The tab is opened or closed. */
  show(on: boolean) {
    this.on = on && this.has_handles;
    this.marks.root.visible = this.on;
    this.app.ticker.dirty = true;
    if (this.on && this.app.method !== 'handles') void this.app.choose_methods('handles', null).then(() => this.apply());
    this.app.events.emit('posing', undefined);
  }

  private changed() {
    if (this.chosen >= this.document.handles.length) this.chosen = -1;
    this.app?.events.emit('posing', undefined);
  }

  set_tool(tool: Tool) {
    this.tool = tool;
    this.app.events.emit('posing', undefined);
  }
  set_along(along: Along) {
    this.along = along;
    this.app.events.emit('posing', undefined);
  }
  choose(handle: number) {
    this.chosen = handle;
    this.redraw_marks();
    this.app.events.emit('posing', undefined);
  }
  private redraw_marks() {
    const { handles } = this.document;
    if (this.marks.places.length === 3 * handles.length)
      this.marks.update(handles, this.marks.places, this.chosen, this.app.stage.renderer.getPixelRatio());
    this.app.ticker.dirty = true;
  }

  // ---- the simulation follows ----------------------------------------------------------------------------------
  private change(document: PoseDocument): Promise<void> {
    this.history.push(document);
    return this.apply();
  }

  /** A change that comes while another is being applied waits; only the latest counts. */
  private async apply() {
    this.again = true;
    if (this.applying) return;
    this.applying = true;
    try {
      while (this.again) {
        this.again = false;
        await this.apply_now();
      }
    } catch (problem) {
      this.app.complain(problem);
    }
    this.applying = this.restructuring = false;
    this.app.events.emit('posing', undefined);
  }

  private async apply_now() {
    const points = structure_of(this.document), wanted = JSON.stringify(points);
    if (wanted !== this.bound) {
      this.restructuring = true;
      const info = await this.app.give_handles({ points }, true);
      const found = in_order_of(this.document, info.joints) ?? from_joints(info.joints);
      this.bound = JSON.stringify(structure_of(found));
      if (this.bound !== wanted) this.history.restart(found); // links were found where there was none
      this.restructuring = false;
    }
    await this.app.take_motion(motion_of(this.document));
    if (!this.dragged) await this.app.sim.dragPose(null);
  }

  undo() {
    if (this.history.undo()) void this.apply();
  }
  redo() {
    if (this.history.redo()) void this.apply();
  }

  // ---- by hand -------------------------------------------------------------------------------------------------
  /** What is shown, as a copy. */
  private shown(): Pose {
    return [...(this.dragged ?? pose_at(this.document, this.time))];
  }

  drag_start(handle: number) {
    this.app.set_playing(false);
    this.choose(handle);
    this.dragged = this.shown();
  }
  /** to: in the units of the body. */
  drag_to(to: Point) {
    if (!this.dragged) return;
    const { at, held } = this.document.handles[this.chosen]!;
    if (!held) this.set_held(true);
    for (let c = 0; c < 3; c++) this.dragged[this.chosen * per_handle + c] = to[c]! - at[c]!;
    void this.app.sim.dragPose(Float64Array.from(this.dragged));
  }
  /** On top of how it was turned when the drag began. */
  turn_by(axis: Vector3, angle: number) {
    if (!this.dragged) return;
    const at = this.chosen * per_handle + 3, was = pose_at(this.document, this.time).slice(at, at + 4);
    const turn = new Quaternion().setFromAxisAngle(axis, angle).multiply(new Quaternion(was[1], was[2], was[3], was[0]));
    this.dragged.splice(at, 4, turn.w, turn.x, turn.y, turn.z);
    void this.app.sim.dragPose(Float64Array.from(this.dragged));
  }
  drag_cancel() {
    this.dragged = null;
    void this.app.sim.dragPose(null);
  }
  async drag_end() {
    const pose = this.dragged;
    this.dragged = null;
    if (pose) await this.change(with_pose(this.document, this.time, pose));
  }

  /** rest, now: a point in the body at rest, and where it is now. */
  add(rest: Point, now: Point) {
    const shift: Point = [now[0] - rest[0], now[1] - rest[1], now[2] - rest[2]];
    const names = new Set(this.document.handles.map((handle) => handle.name)), next = with_handle(this.document, rest, shift);
    this.chosen = next.handles.findIndex((handle) => !names.has(handle.name));
    return this.change(next);
  }
  delete_chosen() {
    if (this.chosen < 0) return;
    if (this.document.handles.length === 1) return void this.app.events.emit('note', 'A body keeps its last handle.');
    const gone = this.chosen;
    this.chosen = -1;
    void this.change(without_handle(this.document, gone));
  }
  link(a: number, b: number) {
    const name = this.document.handles[this.chosen]?.name;
    const next = with_link(this.document, a, b);
    this.chosen = next.handles.findIndex((handle) => handle.name === name);
    return this.change(next);
  }
  /** A free handle holds nothing: its flesh goes where that of the others takes it. */
  set_held(held: boolean) {
    if (this.chosen >= 0) void this.change(with_held(this.document, this.chosen, held));
  }
  /** All handles back where they were, at this time. */
  clear() {
    void this.change(with_pose(this.document, this.time, this.document.handles.flatMap(() => [0, 0, 0, 1, 0, 0, 0])));
  }

  // ---- keys ----------------------------------------------------------------------------------------------------
  set_key() {
    void this.change(with_key(this.document, this.app.last?.time ?? 0, this.shown()));
  }
  delete_key() {
    if (this.key >= 0) void this.change(without_key(this.document, this.key));
  }
  set_ease(ease: Ease) {
    if (this.key >= 0) void this.change(with_ease(this.document, this.key, ease));
  }
  set_length(seconds: number) {
    if (seconds >= 0.1 && seconds <= 600) void this.change(with_length(this.document, seconds));
  }
}
