// Handles in the simulation: where keys or a drag put them, which of them hold, and the clip that other methods and files
// get from them.
import type { Character, Instance } from '../../../../bindings/wasm/index';
import { per_handle, type Motion } from '../pose/document';

const has_handles = (instance: Instance | null): instance is Instance => instance?.method === 'handles';
const clip_name = 'pose';
const compared_times = 9;

export class Posed {
  /** The clip of the character that shows what handles do; -1 before there is one. */
  clip = -1;
  private motion: Motion | null = null;
  private dragged: Float64Array | null = null;
  private news = false;
  /** How far each instance has turned its handles. */
  private turned = new WeakMap<Instance, Float64Array>();

  drag(pose: Float64Array | null) {
    this.dragged = pose;
    this.news = true;
  }
  /** Something has changed since the last frame. */
  has_news(): boolean {
    const { news } = this;
    this.news = false;
    return news;
  }

  /** Which handles hold the surface. */
  hold(instance: Instance) {
    if (!has_handles(instance) || !this.motion) return;
    instance.enableHandles('*', true);
    this.motion.held.forEach((held, k) => {
      if (!held && this.motion!.held.includes(true)) instance.enableHandles(instance.character.joints[k]!.name, false);
    });
  }

  /** Puts the handles where they are at a time. */
  write(instance: Instance, time: number) {
    const pose = this.dragged ?? this.at(time);
    if (pose && has_handles(instance)) this.put(instance, pose);
  }

  private at(time: number): Float64Array | null {
    if (!this.motion) return null;
    const { times, poses } = this.motion, size = poses.length / times.length;
    const along = Math.min(1, Math.max(0, time / times.at(-1)!)) * (times.length - 1);
    const k = Math.min(times.length - 2, Math.floor(along)), share = along - k;
    return poses.slice(k * size, (k + 1) * size).map((value, i) => value + share * (poses[(k + 1) * size + i]! - value));
  }

  private put(instance: Instance, pose: Float64Array) {
    const { joints } = instance.character, matrices = instance.joints, last = this.turned.get(instance);
    joints.forEach(({ rest }, j) => {
      const at = j * per_handle;
      matrices.set([1, 0, 0, rest[0] + pose[at]!, 0, 1, 0, rest[1] + pose[at + 1]!, 0, 0, 1, rest[2] + pose[at + 2]!], 12 * j);
    });
    joints.forEach(({ name }, j) => {
      const [w, x, y, z] = pose.subarray(j * per_handle + 3, (j + 1) * per_handle) as unknown as [number, number, number, number];
      const was = last?.subarray(j * per_handle + 3, (j + 1) * per_handle) ?? [1, 0, 0, 0];
      if (w !== was[0] || x !== was[1] || y !== was[2] || z !== was[3]) instance.turnHandles(name, [w, x, y, z]);
    });
    this.turned.set(instance, pose.slice());
  }

  /** [joints * 3] */
  places(instance: Instance): Float32Array | null {
    if (!has_handles(instance)) return null;
    const pose = instance.handlePose;
    return Float32Array.from({ length: pose.length / 4 }, (_, k) => pose[12 * Math.floor(k / 3) + 4 * (k % 3) + 3]!);
  }

  /** Makes the clip, by what the handles of `shown` do at every sample; its number. */
  set(motion: Motion, character: Character, shown: Instance | null): number {
    this.motion = motion;
    this.news = true;
    if (!has_handles(shown)) return Math.max(0, this.clip);
    const maker = shown.twin(), size = motion.poses.length / motion.times.length;
    try {
      this.hold(maker);
      const matrices = new Float64Array(motion.times.length * 12 * character.joints.length);
      motion.times.forEach((_, k) => {
        this.put(maker, motion.poses.slice(k * size, (k + 1) * size));
        maker.advance(0);
        matrices.set(maker.handlePose, k * 12 * character.joints.length);
      });
      this.clip = character.setClip(this.clip, clip_name, motion.times, matrices);
    } finally {
      maker.free();
    }
    return this.clip;
  }

  /** The largest distance between the surface and plain skinning to the handles as joints, as a share of the size. */
  off_when_skinned(character: Character, shown: Instance): number {
    if (!has_handles(shown) || !this.motion) return 0;
    const full = shown.twin(), plain = character.bind({ method: 'lbs' });
    try {
      this.hold(full);
      let most = 0;
      for (let k = 0; k < compared_times; k++) {
        const time = (this.motion.times.at(-1)! * k) / (compared_times - 1);
        this.put(full, this.at(time)!);
        plain.pose(this.clip, time);
        for (const instance of [full, plain]) {
          instance.advance(0);
          instance.embed();
        }
        const a = full.positions, b = plain.positions;
        for (let i = 0; i < a.length; i += 3) most = Math.max(most, Math.hypot(a[i]! - b[i]!, a[i + 1]! - b[i + 1]!, a[i + 2]! - b[i + 2]!));
      }
      return most / character.size;
    } finally {
      full.free();
      plain.free();
    }
  }
}
