// The state of the page and everything it can do. Panels call its methods and listen to its events.
import { Events } from './events';
import { RecentFiles } from './files/recent';
import { extension_findings } from './files/findings';
import { keep_map, kept_map, skeletons_key } from './files/joint_maps';
import { sort_files } from './files/sorted';
import { difference, faces_backwards } from './flesh/edit';
import { title_of } from './flesh/method_words';
import { Painting } from './flesh/painting';
import { Tuning, type Bound } from './flesh/tuning';
import { read_link, write_link, type Shown } from './link';
import type {
  CharacterInfo, Embed, Flesh, Frame, HandleOptions, Hello, Level, MethodInfo, MotionMatch, NamedBytes, Paint, RigInfo,
} from './sim/api';
import { createSim, type SimClient } from './sim/client';
import { parse_glb, type Sources } from './view/body';
import { Figure, type Hit } from './view/figure';
import { Hands } from './view/hands';
import type { InsideColour } from './view/inside';
import { Posing } from './pose/posing';
import type { Motion } from './pose/document';
import { Stage } from './view/stage';
import type { Grasp } from './ui/elastic';
import { ask_for_pairs } from './ui/match_dialog';
import { Ticker } from './view/ticker';

interface AppEvents {
  character: CharacterInfo;
  opened: void;
  rig: RigInfo;
  flesh: Flesh;
  frame: Frame;
  view: void;
  play: boolean;
  part: string | null;
  level: Level;
  busy: string | null;
  /** Share of a bind that is done; null: none is running. */
  binding: number | null;
  /** The list of characters opened before has changed. */
  recent: void;
  /** A frame has been drawn. */
  drawn: Frame | null;
  /** The hand has moved. */
  grasp: void;
  flesh_off: boolean;
  /** The brush, or what it has painted. */
  painting: void;
  /** Handles, what they do, or what the pointer does to them. */
  posing: void;
  /** A tab is to be opened. */
  tab: string;
  clip: number;
  /** Notes about the character that appear while it is shown. */
  findings: string[];
  problem: string;
  note: string;
}

export class App {
  readonly events = new Events<AppEvents>();
  readonly sim: SimClient = createSim();
  readonly recent = new RecentFiles();
  readonly stage: Stage;
  readonly figure: Figure;
  readonly ticker: Ticker;
  readonly tuning: Tuning;
  readonly hands: Hands;
  readonly painting: Painting;
  readonly posing: Posing;
  hello!: Hello;
  info: CharacterInfo | null = null;
  rig: RigInfo | null = null;
  /** The flesh swings as one tissue: what is set for one layer counts for all. */
  one_tissue = false;

  // ---- what is shown ----
  source = 'bunny';
  clip = 0;
  /** Clips that are bundled motions, by their names. */
  readonly borrowed = new Map<string, number>();
  /** Clips that are motions of other skeletons, by their files. */
  readonly motions = new Map<NamedBytes, number>();
  method = 'layers';
  second: string | null = null;
  /** How points carry the surface, in methods that leave a choice. */
  embed: Embed = 'auto';
  split = 0.5;
  paint: Paint = 'none';
  paintJoint = -1;
  inside = false;
  insideColour: InsideColour = 'joints';
  particles = true;
  cells = true;
  cutAxis: 0 | 1 | 2 = 2;
  cut = 0.5;
  hidden = new Set<string>();
  speed = 1;
  loop = true;
  playing = true;
  level: Level = 'full';
  pulling = false;
  /** The hand that pulls, in the window. */
  grasp: Grasp | null = null;
  flesh_off = false;
  /** The skin over what is inside. */
  glass = false;
  extremes = false;
  /** Somebody looks at the measures. */
  measuring = false;
  findings: string[] = [];
  /** Of the binds. */
  warnings: string[] = [];
  frames = 0;
  last: Frame | null = null;
  last_finite = true;

  private recycle: ArrayBuffer[] = [];
  private motion_follows = false;
  private told_unpullable = new Set<string>();
  private link_timer = 0;

  constructor(canvas: HTMLCanvasElement) {
    this.stage = new Stage(canvas);
    this.figure = new Figure(this.stage);
    this.ticker = new Ticker(this.stage, {
      frame: (dt) => this.ask_frame(dt),
      draw: () => this.draw(),
      simpler: () => this.events.emit('note', 'Drawing is slow on this machine: shadows are off.'),
    });
    this.tuning = new Tuning({
      setFlesh: (flesh) => this.sim.setFlesh(flesh),
      rebound: (bound) => this.take_rigs(bound),
      changed: (flesh) => this.events.emit('flesh', flesh),
      kept: () => this.remember(),
      failed: (problem) => this.complain(problem),
    });
    this.hands = new Hands(this);
    this.painting = new Painting(this);
    this.posing = new Posing(this);
    this.events.on('part', () => this.light_part());
    this.stage.controls.addEventListener('end', () => this.remember());
    this.stage.controls.addEventListener('change', () => { this.ticker.dirty = true; });
  }

  get flesh(): Flesh {
    return this.tuning.flesh;
  }

  // ---- start ---------------------------------------------------------------------------------------------------
  async start() {
    const link = read_link(location.hash);
    const threads = Number(new URLSearchParams(location.search).get('threads') ?? 0);
    this.sim.onBinding = (share) => this.events.emit('binding', share);
    [this.hello] = await Promise.all([
      this.sim.start({ base: new URL('fascia/', document.baseURI).href, threads }), this.recent.open()]);
    this.tuning.presets = this.hello.presets;
    const refused = await this.drop_bad_flesh(link);
    this.take_link(link);
    await this.open_linked(link);
    if (refused) this.complain(refused);
    this.ticker.start();
    // Another link, pasted into the address bar.
    addEventListener('hashchange', () => location.reload());
  }

  private async open_linked(link: Partial<Shown>) {
    const wanted = this.source;
    if (this.hello.bundledNames.includes(wanted)) return this.open_bundled(wanted, link);
    const kept = await this.recent.files(wanted);
    if (kept) {
      try {
        return await this.open_character(kept.files, kept.motions, link);
      } catch (problem) {
        this.complain(problem);
      }
    } else this.events.emit('note', `This link needs ${wanted}: drop that file to see it.`);
    await this.open_bundled('bunny', link);
  }

  /** Settings in a link that cannot be used are left out; returns what to say about them. */
  private async drop_bad_flesh(link: Partial<Shown>): Promise<string | null> {
    if (!link.flesh) return null;
    try {
      await this.sim.readFlesh({ name: 'This link', bytes: new TextEncoder().encode(JSON.stringify(link.flesh)) });
      return null;
    } catch (problem) {
      delete link.flesh;
      return `${text_of(problem)} The default flesh is used instead.`;
    }
  }

  private take_link(link: Partial<Shown>) {
    const known = (name: string | null | undefined) => this.hello.methods.some((m) => m.name === name);
    if (link.character) this.source = link.character;
    if (known(link.method)) this.method = link.method!;
    else if (!known(this.method)) this.method = this.hello.methods[0]!.name;
    if (known(link.second)) this.second = link.second!;
    this.embed = link.embed ?? 'auto';
    this.split = link.split ?? this.split;
    this.paint = link.paint ?? 'none';
    this.inside = link.inside ?? false;
    this.insideColour = link.insideColour ?? this.insideColour;
    this.particles = link.particles ?? true;
    this.cells = link.cells ?? true;
    this.cutAxis = (link.cutAxis ?? 2) as 0 | 1 | 2;
    this.cut = link.cut ?? this.cut;
    this.hidden = new Set(link.hidden ?? []);
    this.speed = link.speed ?? 1;
    this.loop = link.loop ?? true;
    if (link.wind) this.set_wind(link.wind);
    this.tuning.restart(link.flesh);
  }

  // ---- characters ----------------------------------------------------------------------------------------------
  async open_bundled(name: string, link: Partial<Shown> = {}) {
    this.motion_follows = false;
    await this.opening(name, () => this.sim.openBundled(name), link);
    this.source = name;
    this.remember();
  }

  /** Dropped files: characters, motions, a flesh file. Problems are shown; the previous character stays. */
  async open_files(files: NamedBytes[]) {
    try {
      const { characters, motions, flesh } = sort_files(files);
      const [first, ...others] = characters;
      // The others wait in the list of recent characters.
      for (const other of others) await this.recent.keep(other, []);
      if (first) {
        const link = read_link(location.hash);
        await this.open_character(first, motions, link.character === first[0]!.name ? link : {});
        await this.recent.keep(first, motions);
      } else {
        await this.add_motions(motions);
        await this.recent.keep_motions(this.source, motions);
      }
      if (others.length > 0) {
        this.events.emit('note', `${characters.length} characters: choose one under Character.`);
        this.events.emit('tab', 'character');
      }
      if (flesh) await this.load_flesh(flesh);
      this.events.emit('recent', undefined);
      this.remember();
    } catch (problem) {
      this.complain(problem);
    }
  }

  private async open_character(files: NamedBytes[], motions: NamedBytes[], link: Partial<Shown>) {
    const { name } = files[0]!;
    this.motion_follows = motions.length > 0;
    await this.opening(name, () => this.sim.open(files), link);
    this.source = name;
    await this.add_motions(motions, link.clip);
    if (motions.length > 0) await this.place_body();
  }

  /** One of the characters opened before, with the flesh that it had. */
  async open_recent(name: string) {
    try {
      const kept = await this.recent.files(name);
      if (!kept) throw new Error(`${name} is no longer kept by this browser: drop it again.`);
      await this.open_character(kept.files, kept.motions, {});
      const flesh = this.recent.list.find((entry) => entry.name === name)?.flesh;
      if (flesh) this.tuning.tune({ ...this.hello.presets[flesh.preset ?? 'default'], ...flesh });
      await this.recent.keep(kept.files, kept.motions); // now the latest
      this.events.emit('recent', undefined);
      this.remember();
    } catch (problem) {
      this.complain(problem);
    }
  }

  async forget_recent(name: string) {
    await this.recent.forget(name);
    this.events.emit('recent', undefined);
  }

  private async opening(name: string, open: () => Promise<CharacterInfo>, link: Partial<Shown>) {
    this.events.emit('busy', `Opening ${name}`);
    try {
      const info = await open();
      const findings = extension_findings(info.glb);
      const found = (problem: string) => {
        if (!findings.includes(problem)) findings.push(problem);
        this.events.emit('findings', findings);
      };
      const sources = await parse_glb(info, found).catch((): Sources => new Map());
      this.findings = findings;
      this.events.emit('opened', undefined);
      if (sources.size === 0) this.events.emit('note', `${info.name} is shown without its materials: they could not be read.`);
      await this.take_character(name, info, sources, link);
    } finally {
      this.events.emit('busy', null);
    }
  }

  private async take_character(name: string, info: CharacterInfo, sources: Sources, link: Partial<Shown>) {
    this.info = info;
    this.borrowed.clear();
    this.motions.clear();
    this.recycle = [];
    this.tuning.take_character(info);
    this.figure.take_character(info, sources, link.camera ?? null, faces_backwards(info.joints));
    this.paintJoint = link.joint ? info.joints.findIndex((j) => j.name === link.joint) : -1;
    this.clip = first_clip(info, link.clip);
    this.events.emit('character', info);
    this.events.emit('part', null);
    await this.take_painted(name);
    this.choose_handles(info);
    await this.bind_or_less();
    await this.sim.setClip(this.clip, 0);
    if (info.posed) this.events.emit('tab', 'pose');
    await this.posing.take_character(info);
    if (!info.posed && info.clips.length === 0 && !this.motion_follows) await this.borrow_first(link.clip);
    if (!this.motion_follows) await this.place_body();
  }

  /** Until then, nothing is shown. */
  private async place_body() {
    const { info } = this, survey = await this.sim.survey().catch(() => []);
    if (info === this.info) this.figure.place(survey);
    this.ticker.dirty = true;
  }

  // ---- handles -------------------------------------------------------------------------------------------------
  /** A mesh comes with the weights of its handles; a large one is posed by few frames, so that a drag keeps up. */
  private choose_handles(info: CharacterInfo) {
    const { influence: _influence, solver: _solver, ...flesh } = this.flesh;
    if (!info.posed) {
      if (this.before_handles) {
        this.method = this.before_handles;
        this.tuning.restart(flesh);
      }
      this.before_handles = null;
      return;
    }
    this.before_handles ??= this.method;
    this.method = 'handles';
    this.second = null;
    this.inside = false;
    this.set_playing(false);
    this.tuning.restart({ ...flesh, influence: 'file', solver: info.vertices > most_solved ? 'reduced' : 'full' });
  }
  /** The method that was chosen before a mesh was opened. */
  private before_handles: string | null = null;

  /** The open body with other handles, seen as it is seen now. `again`: it keeps what it does. */
  async give_handles(options: HandleOptions, again = false): Promise<CharacterInfo> {
    this.events.emit('busy', again ? 'Binding to the handles' : 'Looking for handles');
    try {
      const info = await this.sim.giveHandles(options);
      const sources = await parse_glb(info, () => {}).catch((): Sources => new Map());
      const { camera, controls } = this.stage;
      const seen = [...camera.position.toArray(), ...controls.target.toArray()];
      if (!again) await this.take_character(info.name, info, sources, { camera: seen });
      else await this.take_reposed(info, sources, seen);
      return info;
    } finally {
      this.events.emit('busy', null);
    }
  }
  private async take_reposed(info: CharacterInfo, sources: Sources, camera: number[]) {
    this.info = info;
    this.recycle = [];
    this.clip = 0;
    this.tuning.take_character(info);
    this.figure.take_character(info, sources, camera, false);
    await this.bind();
    await this.place_body();
    this.events.emit('character', info);
  }

  /** What handles do is a clip like any other. */
  async take_motion(motion: Motion) {
    const { clips, index } = await this.sim.setMotion(motion);
    const more = clips.length !== this.info!.clips.length || this.clip !== index;
    this.info!.clips = clips;
    if (!more) return;
    this.events.emit('character', this.info!);
    await this.choose_clip(index);
  }

  /** Restores what was painted on it earlier, if it still fits. */
  private async take_painted(name: string) {
    const painted = this.recent.painted(name);
    this.painting.take_character(painted);
    if (painted?.length === this.info!.vertices) await this.sim.paint(painted);
  }

  /** Binds with what has been painted. */
  async use_painted(mask: string) {
    if (this.flesh.mask !== mask) return this.tuning.tune({ ...this.flesh, mask });
    try {
      await this.bind();
    } catch (problem) {
      this.complain(problem);
    }
  }

  /** Binds with the given flesh; if that fails, with the default flesh; if that fails too, without any. */
  private async bind_or_less() {
    try {
      await this.bind();
    } catch (problem) {
      this.complain(problem);
      if (await this.bind_with_defaults()) return;
      // A character that has no room for flesh is still shown with plain skinning.
      this.method = this.hello.methods.find((m) => !m.abilities.simulates)!.name;
      this.second = null;
      await this.bind();
    }
  }
  private async bind_with_defaults(): Promise<boolean> {
    this.tuning.restart(undefined);
    try {
      await this.bind();
      return true;
    } catch {
      return false;
    }
  }

  /** Borrows the motion named in the link, or else the first that this skeleton can perform. */
  private async borrow_first(wanted: string | undefined) {
    for (const name of [wanted, 'walk', 'sway']) {
      if (!name || !this.hello.bundledMotions.includes(name)) continue;
      try {
        await this.borrow(name);
        return;
      } catch {
        // No arms and legs, for example: the next one needs less.
      }
    }
    this.events.emit('note', `${this.info!.name} brings no motion: drop a .bvh to move it.`);
  }

  /** Plays one of the bundled motions on this character. */
  async borrow(name: string) {
    let index = this.borrowed.get(name);
    if (index === undefined) {
      const added = await this.sim.borrowMotion(name);
      this.info!.clips = added.clips;
      index = added.index;
      this.borrowed.set(name, index);
    }
    await this.play_clip(index);
    this.remember();
  }

  /** Plays the first of them, or the one that is named. One that cannot be used does not keep the others out. */
  private async add_motions(files: NamedBytes[], wanted = '') {
    const added: number[] = [];
    for (const file of files) {
      try {
        const index = await this.add_motion(file);
        if (index !== null) added.push(index);
      } catch (problem) {
        this.complain(problem);
      }
    }
    if (added.length === 0) {
      if (files.length > 0 && this.info && this.info.clips.length === 0) await this.borrow_first(undefined);
      return;
    }
    await this.play_clip(added.find((i) => this.info!.clips[i]!.name === wanted) ?? added[0]!);
  }

  /** Asks for joints to be paired by hand if too few are alike, or if it is asked to; null: the visitor would rather not. */
  private async add_motion(file: NamedBytes, ask = false): Promise<number | null> {
    const match = await this.sim.matchMotion(file, {}), key = skeletons_key(match, this.info!.joints);
    let map = kept_map(key);
    const info = this.info;
    if (ask || (too_few(match, this.info!) && Object.keys(map).length === 0)) {
      const chosen = await ask_for_pairs(this, file.name, match, map);
      if (!chosen || this.info !== info) return null;
      map = chosen;
      keep_map(key, map);
    }
    const { clips, index } = await this.sim.addMotion(file, map, this.motions.get(file) ?? -1);
    this.info!.clips = clips;
    this.motions.set(file, index);
    return index;
  }

  /** The joints of a motion that has been added, by hand. */
  async match_again(file: NamedBytes) {
    try {
      const index = await this.add_motion(file, true);
      if (index !== null) await this.play_clip(index);
    } catch (problem) {
      this.complain(problem);
    }
  }

  private async play_clip(index: number) {
    this.clip = index;
    this.events.emit('character', this.info!);
    await this.sim.setClip(index, 0);
    this.set_playing(true);
  }

  private async load_flesh(file: NamedBytes) {
    this.tuning.tune(await this.sim.readFlesh(file));
    this.events.emit('note', `Now using the flesh of ${file.name}.`);
  }

  complain(problem: unknown) {
    if (problem instanceof TypeError) console.error(problem); // a bug in the page, not a problem with a file
    this.events.emit('problem', text_of(problem));
  }

  // ---- methods -------------------------------------------------------------------------------------------------
  private take_rigs(bound: Bound) {
    this.rig = bound.a;
    this.warnings = [bound.a, bound.b].flatMap((rig) => rig?.warnings ?? []);
    this.one_tissue = of_one_tissue([bound.a, bound.b].filter((rig) => rig !== null), this.flesh);
    this.figure.take_rig(bound.a);
    if (this.paint === 'domains' && bound.a.domains.length === 0) this.paint = 'none';
    this.events.emit('rig', bound.a);
    this.events.emit('view', undefined);
  }

  private async bind() {
    this.take_rigs(await this.sim.bind(this.method, this.second, this.flesh, this.embed));
  }

  async choose_methods(method: string, second: string | null, embed = this.embed) {
    const old = { method: this.method, second: this.second, embed: this.embed };
    this.method = method;
    this.second = second;
    this.embed = embed;
    if (second === null && this.paint === 'difference') this.paint = 'none';
    try {
      await this.bind();
    } catch (problem) {
      Object.assign(this, old);
      this.complain(problem);
      this.events.emit('view', undefined);
    }
    this.remember();
  }

  /** The methods that are shown: one, or two side by side. */
  get chosen(): MethodInfo[] {
    return [this.method, this.second].flatMap((name) => this.hello.methods.find((m) => m.name === name) ?? []);
  }

  // ---- by hand -------------------------------------------------------------------------------------------------
  choose_part(joint: string | null) {
    this.tuning.part = joint;
    if (joint && this.paint === 'weights') this.paintJoint = this.info!.joints.findIndex((j) => j.name === joint);
    this.events.emit('part', joint);
    this.remember();
  }

  hit(x: number, y: number): Hit | null {
    return this.figure.hit(x, y, this.splitting ? this.split : null);
  }

  /** The skin of the body part that is tuned. */
  private light_part() {
    const { part, mirror, linked } = this.tuning;
    const names = [part, linked ? mirror : null];
    this.figure.light_up((this.info?.joints ?? []).flatMap((joint, i) => (names.includes(joint.name) ? [i] : [])));
    this.ticker.dirty = true;
  }

  async pull_start(at: [number, number, number]): Promise<boolean> {
    const mine = ++this.pulls;
    const held = await this.sim.pullStart(at);
    this.pulling = held && mine === this.pulls; // it may have been released in the meantime
    if (!held) this.tell_unpullable();
    return this.pulling;
  }
  tell_unpullable() {
    if (this.level === 'skinning' || this.told_unpullable.has(this.method)) return;
    this.told_unpullable.add(this.method);
    const other = this.hello.methods.find((m) => m.abilities.hand);
    this.events.emit('note', `“${title_of(this.method)}” has no flesh to pull: choose “${title_of(other?.name ?? '')}” under View.`);
  }
  pull_move(to: [number, number, number]) {
    void this.sim.pullMove(to);
  }
  private pulls = 0;
  pull_end() {
    this.pulls++;
    this.pulling = false;
    this.set_grasp(null);
    void this.sim.pullEnd();
  }
  /** Wind from the left as the camera stands at its start: 1 is as strong as the weight of the flesh. */
  set_wind(strength: number) {
    this.wind = strength;
    const usual = strength * 9.81 / 1.7;
    void this.sim.blow([usual, 0, -0.35 * usual]);
    this.events.emit('view', undefined);
    this.remember();
  }
  wind = 0;
  set_grasp(grasp: Grasp | null) {
    this.grasp = grasp;
    this.events.emit('grasp', undefined);
  }
  /** Shows plain skinning; the flesh swings on unseen. */
  set_flesh_off(off: boolean) {
    if (this.flesh_off === off) return;
    this.flesh_off = off;
    this.events.emit('flesh_off', off);
  }

  // ---- motion --------------------------------------------------------------------------------------------------
  set_playing(playing: boolean) {
    this.playing = playing;
    this.events.emit('play', playing);
  }

  async choose_clip(index: number) {
    this.clip = index;
    this.events.emit('clip', index);
    await this.sim.setClip(index, 0);
    this.remember();
  }

  /** One frame forward (1) or back (-1). */
  step(by: 1 | -1) {
    this.set_playing(false);
    void this.sim.step(by);
  }

  /** Stops what is running, or else lets go of the body part. */
  escape() {
    if (this.pulling) this.pull_end();
    else if (this.stop_job) this.stop_job();
    else if (this.tuning.part) this.choose_part(null);
  }
  /** Set while an export runs. */
  stop_job: (() => void) | null = null;

  get duration() {
    return this.info?.clips[this.clip]?.duration ?? 0;
  }

  // ---- view ----------------------------------------------------------------------------------------------------
  /** Something about the view changed: update panels and the link. */
  look(change: () => void) {
    const before = [this.insideColour, this.particles, this.cells].join();
    change();
    if (before !== [this.insideColour, this.particles, this.cells].join()) this.figure.drop_inside();
    this.figure.cut(this.plane);
    this.ticker.dirty = true;
    this.events.emit('view', undefined);
    this.remember();
  }

  home() {
    this.figure.home(faces_backwards(this.info?.joints ?? []));
    void this.place_body();
    this.remember();
  }

  get splitting() {
    return this.second !== null && !this.inside;
  }
  private get plane() {
    return { axis: this.cutAxis, place: this.cut, hidden: this.hidden };
  }

  // ---- frames --------------------------------------------------------------------------------------------------
  private async ask_frame(dt: number) {
    if (!this.info) return;
    try {
      const recycle = this.recycle;
      this.recycle = [];
      const frame = await this.sim.frame({
        dt, playing: this.playing, speed: this.speed, loop: this.loop, paint: this.paint, paintJoint: this.paintJoint,
        points: this.inside, solved: this.measuring, flesh: !this.flesh_off, extremes: this.extremes, recycle,
      });
      if (frame && frame.a.positions.length === 3 * (this.info?.vertices ?? 0)) this.take_frame(frame, dt);
    } catch (problem) {
      this.complain(problem);
    }
  }

  private take_frame(frame: Frame, dt: number) {
    this.last_finite = all_finite(frame.a.positions);
    const domains = this.paint === 'domains', numbers = domains || (this.paint === 'weights' && this.paintJoint < 0);
    this.figure.take_frame(frame, dt, numbers, domains);
    if (frame.points) this.figure.show_points(frame.points, this.plane, { colour: this.insideColour, particles: this.particles, cells: this.cells });
    if (frame.ended) this.set_playing(false);
    if (frame.level !== this.level) {
      this.level = frame.level;
      this.events.emit('level', frame.level);
    }
    this.frames++;
    this.ticker.dirty = true;
    this.last = frame;
    this.events.emit('frame', frame);
    this.posing.take_frame(frame);
    const arrays = [frame.a.positions, frame.a.normals, frame.b?.positions, frame.b?.normals, frame.points];
    this.recycle = arrays.filter((x) => !!x).map((x) => x.buffer as ArrayBuffer);
  }

  draw() {
    this.ticker.dirty = false;
    this.figure.draw(this.inside, this.splitting ? this.split : null, this.glass ? 'glass' : 'none');
    this.events.emit('drawn', this.last);
  }

  // ---- link ----------------------------------------------------------------------------------------------------
  remember() {
    clearTimeout(this.link_timer);
    this.link_timer = window.setTimeout(() => {
      history.replaceState(null, '', this.link());
      void this.recent.keep_flesh(this.source, this.own_flesh);
    }, 250);
  }

  /** What differs from the preset. */
  private get own_flesh(): Flesh {
    return difference(this.flesh, this.hello.presets[this.flesh.preset ?? 'default'] ?? this.hello.presets.default!);
  }

  link(): string {
    const { camera, controls } = this.stage;
    const { method, second, embed, split, paint, inside, insideColour, particles, cells, cutAxis, cut, speed, loop, wind } = this;
    return write_link({
      method, second, embed, split, paint, inside, insideColour, particles, cells, cutAxis, cut, speed, loop, wind,
      character: this.source,
      clip: this.info?.clips[this.clip]?.name ?? '',
      joint: this.info?.joints[this.paintJoint]?.name ?? '',
      hidden: [...this.hidden],
      flesh: this.own_flesh,
      camera: [...camera.position.toArray(), ...controls.target.toArray()],
    });
  }
}

/** Vertices beyond which a drag would not keep up if every one of them were solved for. */
const most_solved = 60_000;

function all_finite(values: Float32Array): boolean {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return Number.isFinite(sum);
}

/** Most of the body would stand still. */
const too_few = (match: MotionMatch, info: CharacterInfo) =>
  !match.enough || 3 * match.pairs.length < Math.min(match.joints.length, info.joints.length);

const text_of = (problem: unknown) => (problem instanceof Error ? problem.message : String(problem));

/** No rig with layers has any of the layers that the flesh names. */
function of_one_tissue(rigs: RigInfo[], flesh: Flesh): boolean {
  const layered = rigs.filter((rig) => rig.layers.length > 0);
  const has = (rig: RigInfo) => rig.layers.some((layer) => flesh.layers?.some((named) => named.name === layer.name));
  return layered.length > 0 && !layered.some(has);
}

/** The clip named in the link, or else a lively one. */
function first_clip(info: CharacterInfo, wanted: string | undefined): number {
  const named = (name: string) => info.clips.findIndex((c) => c.name === name);
  const found = wanted === undefined ? -1 : named(wanted);
  const lively = named('dance'), any = info.clips.findIndex((c) => c.name !== 'rest');
  return found >= 0 ? found : Math.max(0, lively >= 0 ? lively : any);
}
