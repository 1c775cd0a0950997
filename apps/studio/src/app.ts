// The state of the page and everything it can do. Panels call its methods and listen to its events.
import { Events } from './events';
import { difference, faces_backwards } from './flesh/edit';
import { Tuning, type Bound } from './flesh/tuning';
import { read_link, write_link, type Shown } from './link';
import type { CharacterInfo, Flesh, Frame, Hello, Level, MethodInfo, NamedBytes, Paint, RigInfo } from './sim/api';
import { createSim, type SimClient } from './sim/client';
import { parse_glb, type Sources } from './view/body';
import { Figure, type Hit } from './view/figure';
import type { InsideColour } from './view/inside';
import { Stage } from './view/stage';
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
  problem: string;
  note: string;
}

const is_character = (file: NamedBytes) => /\.(glb|vrm|gltf)$/i.test(file.name);

export class App {
  readonly events = new Events<AppEvents>();
  readonly sim: SimClient = createSim();
  readonly stage: Stage;
  readonly figure: Figure;
  readonly ticker: Ticker;
  readonly tuning: Tuning;
  hello!: Hello;
  info: CharacterInfo | null = null;
  rig: RigInfo | null = null;

  // ---- what is shown ----
  source = 'bunny';
  clip = 0;
  /** Clips that are bundled motions, by their names. */
  readonly borrowed = new Map<string, number>();
  method = 'layers';
  second: string | null = null;
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
    this.hello = await this.sim.start({ base: new URL('fascia/', document.baseURI).href, threads });
    this.tuning.presets = this.hello.presets;
    this.take_link(link);
    const bundled = this.hello.bundledNames.includes(this.source) ? this.source : 'bunny';
    if (this.source !== bundled) {
      this.events.emit('note', `This link needs ${this.source}: drop that file to see it.`);
    }
    await this.open_bundled(bundled, link);
    this.ticker.start();
  }

  private take_link(link: Partial<Shown>) {
    const known = (name: string | null | undefined) => this.hello.methods.some((m) => m.name === name);
    if (link.character) this.source = link.character;
    if (known(link.method)) this.method = link.method!;
    else if (!known(this.method)) this.method = this.hello.methods[0]!.name;
    if (known(link.second)) this.second = link.second!;
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
    this.tuning.restart(link.flesh);
  }

  // ---- characters ----------------------------------------------------------------------------------------------
  async open_bundled(name: string, link: Partial<Shown> = {}) {
    await this.opening(name, () => this.sim.openBundled(name), link);
    this.source = name;
    this.remember();
  }

  /** Dropped files: a character, a motion or a flesh file. Problems are shown; the previous character stays. */
  async open_files(files: NamedBytes[]) {
    try {
      const flesh = files.find((f) => /\.json$/i.test(f.name));
      const motion = files.find((f) => /\.bvh$/i.test(f.name));
      const rest = files.filter((f) => f !== flesh && f !== motion);
      this.motion_follows = motion !== undefined;
      if (rest.length > 0) {
        const main = rest.find(is_character) ?? rest[0]!;
        const link = read_link(location.hash);
        await this.opening(main.name, () => this.sim.open(rest), link.character === main.name ? link : {});
        this.source = main.name;
      }
      if (flesh) await this.load_flesh(flesh);
      if (motion) await this.add_motion(motion);
      this.remember();
    } catch (problem) {
      this.complain(problem);
    }
  }

  private async opening(name: string, open: () => Promise<CharacterInfo>, link: Partial<Shown>) {
    this.events.emit('busy', `Opening ${name}`);
    try {
      const info = await open();
      const sources = await parse_glb(info).catch((): Sources => new Map());
      this.events.emit('opened', undefined);
      if (sources.size === 0) this.events.emit('note', `${info.name} is shown without its materials: they could not be read.`);
      await this.take_character(info, sources, link);
    } finally {
      this.events.emit('busy', null);
    }
  }

  private async take_character(info: CharacterInfo, sources: Sources, link: Partial<Shown>) {
    this.info = info;
    this.borrowed.clear();
    this.recycle = [];
    this.tuning.take_character(info);
    this.figure.take_character(info, sources, link.camera ?? null, faces_backwards(info.joints));
    this.paintJoint = link.joint ? info.joints.findIndex((j) => j.name === link.joint) : -1;
    this.clip = first_clip(info, link.clip);
    this.events.emit('character', info);
    this.events.emit('part', null);
    try {
      await this.bind();
    } catch (problem) {
      // A character that has no room for flesh is still shown with plain skinning.
      this.complain(problem);
      this.method = this.hello.methods.find((m) => !m.abilities.simulates)!.name;
      this.second = null;
      await this.bind();
    }
    await this.sim.setClip(this.clip, 0);
    if (info.clips.length === 0 && !this.motion_follows) await this.borrow_first(link.clip);
  }

  /** The motion named in the link, or else the first that this skeleton can do. */
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
    this.clip = index;
    this.events.emit('character', this.info!);
    await this.sim.setClip(index, 0);
    this.set_playing(true);
    this.remember();
  }

  private async add_motion(file: NamedBytes) {
    const { clips, index } = await this.sim.addMotion(file);
    this.info!.clips = clips;
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
    this.events.emit('problem', problem instanceof Error ? problem.message : String(problem));
  }

  // ---- methods -------------------------------------------------------------------------------------------------
  private take_rigs(bound: Bound) {
    this.rig = bound.a;
    this.figure.take_rig(bound.a);
    this.events.emit('rig', bound.a);
    this.events.emit('view', undefined);
  }

  private async bind() {
    this.take_rigs(await this.sim.bind(this.method, this.second, this.flesh));
  }

  async choose_methods(method: string, second: string | null) {
    const old = { method: this.method, second: this.second };
    this.method = method;
    this.second = second;
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

  async pull_start(at: [number, number, number]): Promise<boolean> {
    this.pulling = await this.sim.pullStart(at);
    if (!this.pulling && this.level !== 'skinning' && !this.told_unpullable.has(this.method)) {
      this.told_unpullable.add(this.method);
      const other = this.hello.methods.find((m) => m.abilities.hand)?.name ?? 'another method';
      this.events.emit('note', `With ${this.method} there is no flesh to pull: choose ${other} under View.`);
    }
    return this.pulling;
  }
  pull_move(to: [number, number, number]) {
    void this.sim.pullMove(to);
  }
  pull_end() {
    this.pulling = false;
    void this.sim.pullEnd();
  }

  // ---- motion --------------------------------------------------------------------------------------------------
  set_playing(playing: boolean) {
    this.playing = playing;
    this.events.emit('play', playing);
  }

  async choose_clip(index: number) {
    this.clip = index;
    await this.sim.setClip(index, 0);
    this.remember();
  }

  step_once() {
    this.set_playing(false);
    void this.sim.step();
  }

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
        points: this.inside, recycle,
      });
      if (frame && frame.a.positions.length === 3 * (this.info?.vertices ?? 0)) this.take_frame(frame, dt);
    } catch (problem) {
      this.complain(problem);
    }
  }

  private take_frame(frame: Frame, dt: number) {
    this.last_finite = Number.isFinite(frame.a.positions.reduce((sum, value) => sum + value, 0));
    this.figure.take_frame(frame, dt, this.info!.size, this.paint === 'weights' && this.paintJoint < 0);
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
    const arrays = [frame.a.positions, frame.a.normals, frame.b?.positions, frame.b?.normals, frame.points];
    this.recycle = arrays.filter((x) => !!x).map((x) => x.buffer as ArrayBuffer);
  }

  draw() {
    this.ticker.dirty = false;
    this.figure.draw(this.inside, this.splitting ? this.split : null);
  }

  // ---- link ----------------------------------------------------------------------------------------------------
  remember() {
    clearTimeout(this.link_timer);
    this.link_timer = window.setTimeout(() => history.replaceState(null, '', this.link()), 250);
  }

  link(): string {
    const preset = this.hello.presets[this.flesh.preset ?? 'default'] ?? this.hello.presets.default!;
    const { camera, controls } = this.stage;
    const { method, second, split, paint, inside, insideColour, particles, cells, cutAxis, cut, speed, loop } = this;
    return write_link({
      method, second, split, paint, inside, insideColour, particles, cells, cutAxis, cut, speed, loop,
      character: this.source,
      clip: this.info?.clips[this.clip]?.name ?? '',
      joint: this.info?.joints[this.paintJoint]?.name ?? '',
      hidden: [...this.hidden],
      flesh: difference(this.flesh, preset),
      camera: [...camera.position.toArray(), ...controls.target.toArray()],
    });
  }
}

/** The clip named in the link, or else a lively one. */
function first_clip(info: CharacterInfo, wanted: string | undefined): number {
  const named = (name: string) => info.clips.findIndex((c) => c.name === name);
  const found = wanted === undefined ? -1 : named(wanted);
  const lively = named('dance'), any = info.clips.findIndex((c) => c.name !== 'rest');
  return found >= 0 ? found : Math.max(0, lively >= 0 ? lively : any);
}
