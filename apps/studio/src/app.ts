// All that the page knows and can do. Panels call its methods and listen to its events.
import { Raycaster, Vector2, Vector3 } from 'three';
import { Events } from './events';
import { difference, faces_backwards, matches, mirror_of, with_layer, with_part, without_part, type LayerField, type PartField } from './flesh/edit';
import { History } from './flesh/history';
import { read_link, write_link, type Shown } from './link';
import type { CharacterInfo, Flesh, Frame, Hello, Level, NamedBytes, Paint, RigInfo } from './sim/api';
import { createSim, type SimClient } from './sim/client';
import { Body, parse_glb } from './view/body';
import { Stage } from './view/stage';
import { Voxels } from './view/voxels';

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

export interface Hit { point: Vector3; vertex: number; }

export class App {
  readonly events = new Events<AppEvents>();
  readonly sim: SimClient = createSim();
  readonly stage: Stage;
  readonly history: History<Flesh>;
  hello!: Hello;
  info: CharacterInfo | null = null;
  rig: RigInfo | null = null;

  // ---- what is shown ----
  source = 'bunny';
  clip = 0;
  method = 'layers';
  second: string | null = null;
  split = 0.5;
  paint: Paint = 'none';
  paintJoint = -1;
  inside = false;
  cutAxis: 0 | 1 | 2 = 2;
  cut = 0.5;
  hidden = new Set<string>();
  speed = 1;
  loop = true;
  playing = true;
  linked = true;
  part: string | null = null;
  level: Level = 'full';
  pulling = false;
  frames = 0;
  last: Frame | null = null;
  /** Tests draw when they look. */
  drawing = true;
  last_tick = 0;

  private a: Body | null = null;
  private b: Body | null = null;
  private voxels: Voxels | null = null;
  private placed = false;
  private waiting = false;
  private recycle: ArrayBuffer[] = [];
  private rebinding = false;
  private wanted: Flesh | null = null;
  private link_timer = 0;

  constructor(canvas: HTMLCanvasElement) {
    this.stage = new Stage(canvas);
    this.history = new History<Flesh>({}, () => this.events.emit('flesh', this.flesh));
    this.stage.controls.addEventListener('end', () => this.remember());
    this.stage.controls.addEventListener('change', () => { this.dirty = true; });
  }

  get flesh(): Flesh {
    return this.history.value;
  }

  // ---- start ---------------------------------------------------------------------------------------------------
  async start() {
    const link = read_link(location.hash);
    const threads = Number(new URLSearchParams(location.search).get('threads') ?? 0);
    this.hello = await this.sim.start({ base: new URL('fascia/', document.baseURI).href, threads });
    this.take_link(link);
    const bundled = this.hello.bundledNames.includes(this.source) ? this.source : 'bunny';
    if (this.source !== bundled) {
      this.events.emit('note', `This link is about ${this.source}: drop that file to see it.`);
    }
    await this.open_bundled(bundled, link);
    requestAnimationFrame(this.tick);
  }

  private take_link(link: Partial<Shown>) {
    const known = (name: string | null | undefined) => this.hello.methods.some((m) => m.name === name);
    if (link.character) this.source = link.character;
    if (known(link.method)) this.method = link.method!;
    if (known(link.second)) this.second = link.second!;
    this.split = link.split ?? this.split;
    this.paint = link.paint ?? 'none';
    this.inside = link.inside ?? false;
    this.cutAxis = (link.cutAxis ?? 2) as 0 | 1 | 2;
    this.cut = link.cut ?? this.cut;
    this.hidden = new Set(link.hidden ?? []);
    this.speed = link.speed ?? 1;
    this.loop = link.loop ?? true;
    const preset = this.hello.presets[link.flesh?.preset ?? 'default'] ?? this.hello.presets.default!;
    this.history.restart({ ...preset, ...link.flesh });
  }

  // ---- characters ----------------------------------------------------------------------------------------------
  async open_bundled(name: string, link: Partial<Shown> = {}) {
    await this.opening(name, () => this.sim.openBundled(name), link);
    this.source = name;
    this.remember();
  }

  /** Files as they were dropped: a character, a motion or a flesh file. What is bad is said; the last character stays. */
  async open_files(files: NamedBytes[]) {
    try {
      const flesh = files.find((f) => /\.json$/i.test(f.name));
      const motion = files.find((f) => /\.bvh$/i.test(f.name));
      const rest = files.filter((f) => f !== flesh && f !== motion);
      this.motion_follows = motion !== undefined;
      if (rest.length > 0) {
        const main = rest.find((f) => /\.(glb|vrm|gltf)$/i.test(f.name)) ?? rest[0]!;
        await this.opening(main.name, () => this.sim.open(rest), read_link(location.hash).character === main.name ? read_link(location.hash) : {});
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
      const sources = await parse_glb(info).catch((): Awaited<ReturnType<typeof parse_glb>> => new Map());
      this.events.emit('opened', undefined);
      if (sources.size === 0) this.events.emit('note', `${info.name} is shown without its materials: they could not be read.`);
      await this.take_character(info, sources, link);
    } finally {
      this.events.emit('busy', null);
    }
  }

  private async take_character(info: CharacterInfo, sources: Awaited<ReturnType<typeof parse_glb>>, link: Partial<Shown>) {
    for (const body of [this.a, this.b]) {
      body?.root.removeFromParent();
      body?.dispose();
    }
    this.drop_voxels();
    this.info = info;
    this.a = new Body(info, sources);
    this.b = new Body(info, sources);
    this.stage.add(this.a.root);
    this.stage.add(this.b.root);
    this.a.root.visible = this.b.root.visible = false;
    this.placed = false;
    this.recycle = [];
    this.part = null;
    this.paintJoint = link.joint ? info.joints.findIndex((j) => j.name === link.joint) : -1;
    const wanted = link.clip === undefined ? -1 : info.clips.findIndex((c) => c.name === link.clip);
    const lively = info.clips.findIndex((c) => c.name === 'dance'), any = info.clips.findIndex((c) => c.name !== 'rest');
    this.clip = wanted >= 0 ? wanted : Math.max(0, lively >= 0 ? lively : any);
    this.pending_camera = link.camera ?? null;
    if (!this.pending_camera) this.stage.home(faces_backwards(info.joints));
    this.events.emit('character', info);
    this.events.emit('part', null);
    try {
      await this.bind();
    } catch (problem) {
      // A character that has no room for flesh is still shown by its skinning.
      this.complain(problem);
      this.method = 'lbs';
      this.second = null;
      await this.bind();
    }
    await this.sim.setClip(this.clip, 0);
    if (info.clips.length === 0 && !this.motion_follows) this.events.emit('note', `${info.name} brings no motion: drop a .bvh to move it.`);
  }
  private pending_camera: number[] | null = null;
  private motion_follows = false;

  private async add_motion(file: NamedBytes) {
    const { clips, index } = await this.sim.addMotion(file);
    this.info!.clips = clips;
    this.clip = index;
    this.events.emit('character', this.info!);
    await this.sim.setClip(index, 0);
    this.set_playing(true);
  }

  complain(problem: unknown) {
    if (problem instanceof TypeError) console.error(problem); // a fault of the page, not of a file
    this.events.emit('problem', problem instanceof Error ? problem.message : String(problem));
  }

  // ---- rigs ----------------------------------------------------------------------------------------------------
  private take_rig(bound: { a: RigInfo; b: RigInfo | null }) {
    this.rig = bound.a;
    this.drop_voxels();
    this.events.emit('rig', bound.a);
    this.events.emit('view', undefined);
  }

  private async bind() {
    this.take_rig(await this.sim.bind(this.method, this.second, this.flesh));
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

  // ---- for tests ----
  get voxel_count() {
    return this.voxels?.count ?? 0;
  }
  get busy_tuning() {
    return this.rebinding;
  }
  get last_scalar() {
    return this.last?.scalar ?? null;
  }
  /** Parts whose look could not be found in the file. */
  get bare_parts() {
    return this.a?.bare ?? 0;
  }
  last_finite = true;

  private drop_voxels() {
    this.voxels?.mesh.removeFromParent();
    this.voxels?.dispose();
    this.voxels = null;
  }

  // ---- flesh ---------------------------------------------------------------------------------------------------
  /** `final`: the slider was let go, so the change can be undone. */
  tune(flesh: Flesh, final = true) {
    if (final) {
      this.history.push(flesh);
      this.remember();
    }
    this.wanted = flesh;
    void this.apply_wanted();
  }

  /** One change at a time; what came meanwhile waits, and only the last of it. */
  private async apply_wanted() {
    if (this.rebinding) return;
    this.rebinding = true;
    while (this.wanted) {
      const flesh = this.wanted;
      this.wanted = null;
      try {
        const bound = await this.sim.setFlesh(flesh);
        if (bound) this.take_rig(bound);
      } catch (problem) {
        this.complain(problem);
      }
    }
    this.rebinding = false;
  }

  set_layer(name: string, field: LayerField, value: number, final: boolean) {
    this.tune(with_layer(this.flesh, name, field, value), final);
  }

  set_field(field: string, value: number, final: boolean) {
    this.tune({ ...this.flesh, [field]: value }, final);
  }

  /** The chosen part, and its mirror unless unlinked. */
  part_joints(): string[] {
    if (!this.part || !this.info) return [];
    const mirror = this.linked ? mirror_of(this.part, this.info.joints.map((j) => j.name)) : null;
    return mirror ? [this.part, mirror] : [this.part];
  }

  set_part(field: PartField, value: number, final: boolean) {
    this.tune(with_part(this.flesh, this.part_joints(), field, value), final);
  }

  clear_part() {
    this.tune(without_part(this.flesh, this.part_joints()));
  }

  use_preset(name: string) {
    const preset = this.hello.presets[name];
    if (preset) this.tune({ ...preset });
  }

  undo() {
    if (this.history.undo()) this.after_history();
  }
  redo() {
    if (this.history.redo()) this.after_history();
  }
  private after_history() {
    this.wanted = this.flesh;
    void this.apply_wanted();
    this.remember();
  }

  private async load_flesh(file: NamedBytes) {
    const flesh = await this.sim.readFlesh(file);
    this.tune(flesh);
    this.events.emit('note', `Flesh of ${file.name} is on.`);
  }

  choose_part(joint: string | null) {
    this.part = joint;
    if (joint && this.paint === 'weights') this.paintJoint = this.info!.joints.findIndex((j) => j.name === joint);
    this.events.emit('part', joint);
    this.remember();
  }

  /** What holds around the chosen part: every part that matches it, the last word of each field. */
  part_flesh(): Record<PartField, number> {
    const out: Record<PartField, number> = { bone_width: this.flesh.bone_width ?? 0.03, muscle: this.flesh.muscle ?? 0.5, amount: 1 };
    for (const part of this.flesh.parts ?? []) {
      if (!matches(part.joint, this.part ?? '')) continue;
      for (const field of ['bone_width', 'muscle', 'amount'] as const) out[field] = part[field] ?? out[field];
    }
    return out;
  }

  // ---- pulling -------------------------------------------------------------------------------------------------
  async pull_start(at: [number, number, number]): Promise<boolean> {
    this.pulling = await this.sim.pullStart(at);
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
  /** Something about the view changed: panels and the link follow. */
  look(change: () => void) {
    change();
    this.dirty = true;
    this.voxels?.cut({ axis: this.cutAxis, place: this.cut, hidden: this.hidden });
    this.events.emit('view', undefined);
    this.remember();
  }

  home() {
    this.stage.home(faces_backwards(this.info?.joints ?? []));
    this.placed = false;
    this.remember();
  }

  /** The system's choice, until somebody presses the button. */
  follow_theme() {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const show = () => this.show_theme(document.documentElement.dataset.theme ?? (dark.matches ? 'dark' : 'light'));
    dark.addEventListener('change', show);
    show();
  }
  toggle_theme() {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = dark ? 'light' : 'dark';
    this.show_theme(root.dataset.theme);
  }
  private show_theme(name: string) {
    const style = getComputedStyle(document.documentElement);
    this.stage.set_theme(style.getPropertyValue('--stage').trim(), style.getPropertyValue('--text').trim(), name === 'dark');
  }

  get splitting() {
    return this.second !== null && !this.inside;
  }

  hit(x: number, y: number): Hit | null {
    const box = this.stage.canvas.getBoundingClientRect();
    const place = new Vector2(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2);
    const ray = new Raycaster();
    ray.setFromCamera(place, this.stage.camera);
    const right = this.splitting && (x - box.left) / box.width > this.split;
    const body = right ? this.b : this.a;
    if (!body) return null;
    body.refresh_bounds();
    const was = body.root.visible;
    body.root.visible = true;
    const [first] = ray.intersectObjects(body.meshes, false);
    body.root.visible = was;
    if (!first?.face) return null;
    return { point: first.point, vertex: first.face.a + (first.object.userData.firstVertex as number) };
  }

  private tick = (now: number) => {
    requestAnimationFrame(this.tick);
    const dt = this.last_tick === 0 ? 1 / 60 : (now - this.last_tick) / 1000;
    if (!this.waiting && this.info) {
      this.last_tick = now;
      void this.ask_frame(dt);
    }
    this.stage.controls.update();
    this.watch_smoothness(now);
    if (this.drawing && this.dirty && now >= this.draw_after) this.draw_in_time();
  };

  /** Where the processor draws, at least half of its time is left to the rest of the page. */
  private draw_in_time() {
    const started = performance.now();
    this.draw();
    if (!this.stage.software) return;
    this.stage.renderer.getContext().finish();
    const ended = performance.now();
    this.draw_after = ended + (ended - started);
  }
  private draw_after = 0;

  /** A page that draws too slowly for a while is drawn more simply. */
  private watch_smoothness(now: number) {
    const gap = now - this.last_draw;
    this.last_draw = now;
    if (gap > 500 || this.stage.quality === 'low') return; // hidden, or as simple as can be
    this.slow_draws = gap > 45 ? this.slow_draws + 1 : Math.max(0, this.slow_draws - 1);
    if (this.slow_draws < 40) return;
    this.stage.set_quality('low');
    this.events.emit('note', 'Drawing is slow on this machine: shadows are off.');
  }
  private last_draw = 0;
  private slow_draws = 0;
  private dirty = true;

  private async ask_frame(dt: number) {
    this.waiting = true;
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
    this.waiting = false;
  }

  private take_frame(frame: Frame, dt: number) {
    if (!this.placed) {
      this.stage.place(frame.a.positions, this.info!.size);
      this.placed = true;
      if (this.pending_camera) {
        const c = this.pending_camera;
        this.stage.camera.position.set(c[0]!, c[1]!, c[2]!);
        this.stage.controls.target.set(c[3]!, c[4]!, c[5]!);
        this.pending_camera = null;
      }
    }
    this.last_finite = Number.isFinite(frame.a.positions.reduce((sum, value) => sum + value, 0));
    this.stage.follow(frame.a.positions, dt);
    this.a!.update(frame.a.positions, frame.a.normals, frame.rigid);
    this.a!.paint(frame.scalar, this.paint === 'weights' && this.paintJoint < 0);
    if (frame.b) {
      this.b!.update(frame.b.positions, frame.b.normals, frame.rigid);
      // What is measured on the first says nothing about the second.
      const both = this.paint === 'difference' || this.paint === 'weights';
      this.b!.paint(both ? frame.scalar : null, this.paintJoint < 0 && this.paint === 'weights');
    }
    if (frame.points && this.rig) this.show_points(frame.points);
    if (frame.ended) this.set_playing(false);
    if (frame.level !== this.level) {
      this.level = frame.level;
      this.events.emit('level', frame.level);
    }
    this.frames++;
    this.dirty = true;
    this.last = frame;
    this.events.emit('frame', frame);
    const arrays = [frame.a.positions, frame.a.normals, frame.b?.positions, frame.b?.normals, frame.points];
    this.recycle = arrays.filter((x) => !!x).map((x) => x.buffer as ArrayBuffer);
  }

  private show_points(points: Float32Array) {
    const rig = this.rig!;
    if (points.length !== 3 * rig.insidePoints) return;
    if (!this.voxels) {
      const names = ['bone', ...(this.flesh.layers ?? []).map((layer) => layer.name)];
      this.voxels = new Voxels({ rest: rig.restPoints, layers: rig.pointLayers, names, spacing: rig.pointSpacing });
      this.voxels.cut({ axis: this.cutAxis, place: this.cut, hidden: this.hidden });
      this.stage.add(this.voxels.mesh);
    }
    this.voxels.update(points);
  }

  draw() {
    this.dirty = false;
    const inside = this.inside && this.voxels !== null;
    if (this.voxels) this.voxels.mesh.visible = inside;
    this.stage.render(this.splitting && this.placed ? this.split : null, (side) => {
      if (this.a) this.a.root.visible = this.placed && !inside && side === 'a';
      if (this.b) this.b.root.visible = this.placed && !inside && side === 'b';
    });
  }

  // ---- link ----------------------------------------------------------------------------------------------------
  remember() {
    clearTimeout(this.link_timer);
    this.link_timer = window.setTimeout(() => history.replaceState(null, '', this.link()), 250);
  }

  link(): string {
    const preset = this.hello.presets[this.flesh.preset ?? 'default'] ?? this.hello.presets.default!;
    const { camera, controls } = this.stage;
    return write_link({
      character: this.source,
      clip: this.info?.clips[this.clip]?.name ?? '',
      method: this.method,
      second: this.second,
      split: this.split,
      paint: this.paint,
      joint: this.info?.joints[this.paintJoint]?.name ?? '',
      inside: this.inside,
      cutAxis: this.cutAxis,
      cut: this.cut,
      hidden: [...this.hidden],
      speed: this.speed,
      loop: this.loop,
      flesh: difference(this.flesh, preset),
      camera: [...camera.position.toArray(), ...controls.target.toArray()],
    });
  }
}
