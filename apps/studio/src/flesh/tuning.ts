// The flesh while it is being tuned: every change can be undone, and the simulation follows, one change at a time.
import type { CharacterInfo, FieldValue, Flesh, RigInfo } from '../sim/api';
import { mirror_of, with_entries, with_layers, without_entries, type JointList } from './edit';
import { History } from './history';

/** What tuning needs from the rest of the page. */
export interface Tuned {
  setFlesh(flesh: Flesh): Promise<Bound | null>;
  /** The change needed a bind: the rigs are new. */
  rebound(bound: Bound): void;
  changed(flesh: Flesh): void;
  /** A change worth keeping in the link. */
  kept(): void;
  failed(problem: unknown): void;
}
export interface Bound { a: RigInfo; b: RigInfo | null; }

export class Tuning {
  readonly history: History<Flesh>;
  /** Left and right are tuned together. */
  linked = true;
  /** Joint of the body part that is being tuned. */
  part: string | null = null;
  presets: Record<string, Flesh> = {};
  private joints: string[] = [];
  private wanted: Flesh | null = null;
  private applying = false;

  constructor(private page: Tuned) {
    this.history = new History<Flesh>({}, () => page.changed(this.flesh));
  }

  get flesh(): Flesh {
    return this.history.value;
  }
  get busy() {
    return this.applying;
  }

  /** Starts over from a preset and the changes that a link makes to it. */
  restart(flesh: Flesh | undefined) {
    const preset = this.presets[flesh?.preset ?? 'default'] ?? this.presets.default!;
    this.history.restart({ ...preset, ...flesh });
  }

  take_character(info: CharacterInfo) {
    this.joints = info.joints.map((j) => j.name);
    this.part = null;
  }

  /** `final`: the slider was released, so the change can be undone. */
  tune(flesh: Flesh, final = true) {
    if (final) {
      this.history.push(flesh);
      this.page.kept();
    }
    this.apply(flesh);
  }

  undo() {
    if (this.history.undo()) this.after_history();
  }
  redo() {
    if (this.history.redo()) this.after_history();
  }
  private after_history() {
    this.apply(this.flesh);
    this.page.kept();
  }

  /** A change that arrives while another is being applied waits, and only the latest one is kept. */
  private apply(flesh: Flesh) {
    this.wanted = flesh;
    if (!this.applying) void this.apply_wanted();
  }
  private async apply_wanted() {
    this.applying = true;
    while (this.wanted) {
      const flesh = this.wanted;
      this.wanted = null;
      try {
        const bound = await this.page.setFlesh(flesh);
        if (bound) this.page.rebound(bound);
      } catch (problem) {
        this.page.failed(problem);
        if (this.flesh === flesh) this.history.take_back(); // a refused change is not kept
      }
    }
    this.applying = false;
  }

  use_preset(name: string) {
    const preset = this.presets[name];
    if (preset) this.tune({ ...preset });
  }
  /** Of one layer, or of all (null): a body of one tissue. */
  set_layers(name: string | null, key: string, value: FieldValue, final: boolean) {
    this.tune(with_layers(this.flesh, name, key, value), final);
  }
  set_field(key: string, value: FieldValue, final: boolean) {
    this.tune({ ...this.flesh, [key]: value }, final);
  }

  // ---- body parts ----------------------------------------------------------------------------------------------
  get mirror(): string | null {
    return this.part ? mirror_of(this.part, this.joints) : null;
  }
  /** The chosen part, and its mirror image unless unlinked. */
  private part_joints(): string[] {
    const mirror = this.linked ? this.mirror : null;
    return [this.part, mirror].filter((j): j is string => j !== null);
  }
  /** A value of null removes the key. */
  set_part(list: JointList, key: string, value: FieldValue | null, final: boolean) {
    this.tune(with_entries(this.flesh, list, this.part_joints(), key, value), final);
  }
  clear_part() {
    this.tune(without_entries(this.flesh, this.part_joints()));
  }
}
