// Camera, light and floor. Every character is scaled to stand one unit tall on the floor.
import {
  Box3, Color, DirectionalLight, Group, HemisphereLight, PCFShadowMap, PerspectiveCamera, PMREMGenerator, Scene, Spherical, Vector3,
  WebGLRenderer, NeutralToneMapping, type Object3D, type Texture,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { RoomEnvironment } from 'three/examples/jsm/environments/RoomEnvironment.js';
import { frame_silhouette } from './framing';
import { Ground } from './ground';

export class Stage {
  readonly renderer: WebGLRenderer;
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(32, 1, 0.01, 60);
  readonly controls!: OrbitControls;
  /** Holds the character, in its own units. */
  readonly world = new Group();
  private ground = new Ground();
  private key = new DirectionalLight(0xfff4e8, 2.25);
  private followed: Vector3 | null = null;

  quality: Quality = 'full';
  /** Rendered in software: a virtual machine, or a test. */
  readonly software: boolean;
  private ambient = new HemisphereLight(0xffffff, 0xd9cfc4, 0.38);

  constructor(readonly canvas: HTMLCanvasElement) {
    this.software = is_software();
    this.renderer = new WebGLRenderer({ canvas, antialias: !this.software, preserveDrawingBuffer: true });
    // Keeps the colours of the file; only highlights are rolled off.
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.scene.environmentIntensity = 0.32;

    this.key.position.set(1.3, 2.6, 2.0);
    this.key.castShadow = true;
    this.key.shadow.mapSize.set(1024, 1024);
    this.key.shadow.radius = 5;
    this.key.shadow.bias = -0.0006;
    this.key.shadow.normalBias = 0.01;
    const view = this.key.shadow.camera;
    Object.assign(view, { left: -1.1, right: 1.1, top: 1.3, bottom: -0.9, near: 0.5, far: 6 });
    this.scene.add(this.key, this.key.target, this.ambient, this.ground.root, this.world);
    this.set_quality(this.software ? 'low' : 'full');

    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.minDistance = 0.5;
    this.controls.maxDistance = 12;
    this.controls.maxPolarAngle = Math.PI * 0.56;
    this.home();
  }

  home(backwards = false) {
    this.controls.target.set(0, 0.5, 0);
    this.camera.position.set(backwards ? -1.0 : 1.0, 0.85, backwards ? -2.2 : 2.2);
    this.controls.update();
  }

  /** Angles around and above the body; radians. */
  turn(around: number, over: number) {
    const away = new Spherical().setFromVector3(this.camera.position.clone().sub(this.controls.target));
    away.theta += around;
    away.phi = Math.min(this.controls.maxPolarAngle, Math.max(0.05, away.phi + over));
    this.camera.position.copy(this.controls.target).add(new Vector3().setFromSpherical(away));
    this.controls.update();
  }

  /** Changes the distance to the body by a factor. */
  approach(by: number) {
    const away = this.camera.position.clone().sub(this.controls.target);
    const { minDistance, maxDistance } = this.controls;
    if (by === 1) return;
    away.setLength(Math.min(maxDistance, Math.max(minDistance, away.length() * by)));
    this.camera.position.copy(this.controls.target).add(away);
    this.controls.update();
  }

  /** Low quality has no shadow, no reflections and fewer pixels: anything is better than a page that stutters. */
  set_quality(quality: Quality) {
    this.quality = quality;
    const full = quality === 'full';
    if (full) this.room ??= make_room(this.renderer);
    this.scene.environment = full ? this.room : null;
    this.ambient.intensity = full ? 0.38 : 1.15;
    this.key.castShadow = full;
    this.resize(this.canvas.clientWidth, this.canvas.clientHeight);
  }
  private room: Texture | null = null;

  software_ratio = 1;

  private pixel_ratio(): number {
    const most = Math.min(2, globalThis.devicePixelRatio || 1);
    if (this.quality === 'full') return this.software ? this.software_ratio : most;
    return this.software ? 0.5 : Math.min(1, most);
  }

  resize(width: number, height: number) {
    if (this.fixed) ({ width, height } = this.fixed);
    this.renderer.setPixelRatio(this.fixed ? 1 : this.pixel_ratio());
    this.renderer.setSize(width, height, false);
    const before = this.camera.aspect;
    this.camera.aspect = width / Math.max(1, height);
    this.camera.updateProjectionMatrix();
    // What was in view stays in view when a phone is turned or a window made narrower.
    if (this.controls && before > 0 && width > 0) this.approach(distance_for(this.camera.aspect) / distance_for(before));
  }

  /** Draws at another size and in full quality until `restore` is called. */
  enlarge(width: number, height: number): { restore(): void } {
    const { quality } = this;
    this.set_quality('full');
    this.fixed = { width, height };
    this.resize(width, height);
    return {
      restore: () => {
        this.fixed = null;
        this.set_quality(quality);
      },
    };
  }
  private fixed: { width: number; height: number } | null = null;

  set_theme(background: string, line: string, dark: boolean) {
    this.scene.background = new Color(background);
    this.ground.set_theme(line, dark);
    this.key.intensity = dark ? 2.0 : 2.25;
  }

  /** Puts a new character on the lowest place that it reaches, and the camera where it sees every moment. moments: points of the body */
  place(moments: Float32Array[], size: number) {
    const scale = 1 / size, first = box_of(moments[0]!), centre = first.getCenter(new Vector3());
    const lowest = moments.reduce((least, points) => Math.min(least, box_of(points).min.y), Infinity);
    this.world.scale.setScalar(scale);
    this.world.position.set(-centre.x * scale, -lowest * scale, -centre.z * scale);
    this.world.updateMatrixWorld(true);
    this.follow_from(moments[0]!);
    this.frame(one_place(moments));
  }

  /** Keeps the direction of view, and fills the view with the body. */
  private frame(positions: Float32Array) {
    const towards = this.camera.position.clone().sub(this.controls.target);
    const { target, distance } = frame_silhouette(positions, (point) => this.world.localToWorld(point), towards, this.camera);
    this.controls.minDistance = Math.min(0.5, 0.4 * distance);
    this.controls.maxDistance = Math.max(12, 4 * distance);
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(towards.normalize(), distance);
    this.camera.near = Math.min(0.01, 0.02 * distance);
    this.camera.updateProjectionMatrix();
  }

  /** The camera stands before a body that is here. null: wherever it is seen first. */
  follow_from(positions: Float32Array | null) {
    this.followed = positions && this.middle(positions);
    this.catching_up = true;
  }
  private catching_up = false;

  /** Of the body, on the floor. */
  private middle(positions: Float32Array): Vector3 {
    const centre = new Vector3();
    const step = Math.max(1, Math.floor(positions.length / 3 / 400)) * 3;
    let n = 0;
    for (let i = 0; i + 2 < positions.length; i += step, n++) centre.add(new Vector3(positions[i]!, positions[i + 1]!, positions[i + 2]!));
    centre.divideScalar(Math.max(1, n));
    this.world.localToWorld(centre);
    centre.y = 0;
    return centre;
  }

  /** Camera, light and floor follow the body across the floor. */
  follow(positions: Float32Array, dt: number) {
    const centre = this.middle(positions), share = this.catching_up ? 1 : Math.min(1, dt * 6);
    this.catching_up = false;
    if (this.followed === null) {
      this.followed = centre;
      this.move_to(centre);
      return;
    }
    // Small sways are not followed; a walk is.
    const away = centre.clone().sub(this.followed);
    const slack = 0.12;
    if (away.length() <= slack) return this.move_to(this.followed);
    const shift = away.multiplyScalar((1 - slack / away.length()) * share);
    this.followed.add(shift);
    this.camera.position.add(shift);
    this.controls.target.add(shift);
    this.move_to(this.followed);
  }

  private move_to(place: Vector3) {
    this.ground.root.position.set(place.x, 0, place.z);
    this.key.target.position.set(place.x, 0.4, place.z);
    this.key.position.set(place.x + 1.3, 2.6, place.z + 2.0);
  }

  add(object: Object3D) {
    this.world.add(object);
  }

  /** Draws once, or twice with the divider at `split` (0..1) between the two. */
  render(split: number | null, show: (side: 'a' | 'b') => void) {
    const { renderer } = this;
    const { width, height } = this.fixed ?? { width: this.canvas.clientWidth, height: this.canvas.clientHeight };
    if (split === null) {
      show('a');
      renderer.setScissorTest(false);
      renderer.render(this.scene, this.camera);
      return;
    }
    renderer.setScissorTest(true);
    const at = Math.round(width * split);
    show('a');
    renderer.setScissor(0, 0, at, height);
    renderer.render(this.scene, this.camera);
    show('b');
    renderer.setScissor(at, 0, width - at, height);
    renderer.render(this.scene, this.camera);
    renderer.setScissorTest(false);
  }
}

/** Narrow windows need more distance. */
const distance_for = (aspect: number) => 1 / Math.max(0.4, Math.min(1, aspect / 0.8));

export type Quality = 'full' | 'low';

function is_software(): boolean {
  const probe = document.createElement('canvas').getContext('webgl2');
  const info = probe?.getExtension('WEBGL_debug_renderer_info');
  const name = info ? String(probe!.getParameter(info.UNMASKED_RENDERER_WEBGL)) : '';
  probe?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

function make_room(renderer: WebGLRenderer): Texture {
  const maker = new PMREMGenerator(renderer);
  const { texture } = maker.fromScene(new RoomEnvironment(), 0.04);
  maker.dispose();
  return texture;
}

/** All moments in one list, moved across the floor to where the first one is, as the camera follows the body there. */
function one_place(moments: Float32Array[]): Float32Array {
  const middle = (points: Float32Array, k: number) => points.reduce((sum, value, i) => (i % 3 === k ? sum + value : sum), 0) / Math.max(1, points.length / 3);
  const [x, z] = [middle(moments[0]!, 0), middle(moments[0]!, 2)];
  return Float32Array.from(moments.flatMap((points) => {
    const off = [x - middle(points, 0), 0, z - middle(points, 2)];
    return Array.from(points, (value, i) => value + off[i % 3]!);
  }));
}

function box_of(positions: Float32Array): Box3 {
  return new Box3().setFromArray(positions);
}
