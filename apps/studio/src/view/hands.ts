// What can be done to the body by hand besides pulling: a poke, a shake, a thrown ball.
import { Vector3 } from 'three';
import type { App } from '../app';

type Point = [number, number, number];

const poke_depth = 0.1; // of the size
const throw_distance = 1.1;
const shake_width = 0.09;
const shake_ms = 110; // per swing
const swings = [1, -1, 0.8, -0.8, 0.5, 0];
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

export class Hands {
  private shaking = false;
  private device: ((event: DeviceMotionEvent) => void) | null = null;

  constructor(private app: App) {}

  private to_body(direction: Vector3): Point {
    return direction.multiplyScalar(this.app.info!.size).toArray();
  }

  /** Skin in the middle of the body, at the height of a belly: where there is most to pull. */
  belly(): { x: number; y: number; at: Vector3; vertex: number } | null {
    const { stage, figure } = this.app;
    const box = figure.box();
    if (!box) return null;
    const view = stage.canvas.getBoundingClientRect(), middle = box.getCenter(new Vector3());
    for (const height of [0.3, 0.4, 0.5, 0.6]) {
      const seen = new Vector3(middle.x, box.min.y + height * (box.max.y - box.min.y), middle.z).project(stage.camera);
      const x = view.left + ((seen.x + 1) / 2) * view.width, y = view.top + ((1 - seen.y) / 2) * view.height;
      const hit = this.app.hit(x, y);
      if (hit) return { x, y, at: hit.point, vertex: hit.vertex };
    }
    return null;
  }

  /** Pushes the skin in the middle of the view away from the camera. */
  async poke() {
    const place = this.belly();
    if (!place || this.app.pulling) return;
    const { world, camera } = this.app.stage;
    const inwards = camera.getWorldDirection(new Vector3()).multiplyScalar(poke_depth);
    const there = await this.app.sim.poke(world.worldToLocal(place.at.clone()).toArray(), this.to_body(inwards));
    if (!there) this.app.tell_unpullable();
  }

  /** Throws a ball at the skin in the middle of the view, from beside the camera. */
  async throw_ball() {
    const place = this.belly();
    if (!place || !this.app.info) return;
    const { world, camera } = this.app.stage;
    const to = world.worldToLocal(place.at.clone()), eye = world.worldToLocal(camera.position.clone());
    const from = eye.sub(to).setLength(throw_distance * this.app.info.size).add(to);
    await this.app.sim.throwBall(from.toArray(), to.toArray());
    if (!this.app.chosen.some((method) => method.abilities.gravity)) this.app.tell_unpullable();
  }

  /** Left and right a few times, across the view. */
  async shake() {
    if (this.shaking || !this.app.info) return;
    this.shaking = true;
    for (const swing of swings) {
      await this.push_across(swing * shake_width, 0);
      await pause(shake_ms);
    }
    this.shaking = false;
  }

  /** Moves the whole body by shares of its size, to the right and upwards as seen. */
  push_across(right: number, up: number): Promise<void> {
    const across = new Vector3(1, 0, 0).applyQuaternion(this.app.stage.camera.quaternion).setY(0).normalize();
    return this.app.sim.moveBody(this.to_body(across.multiplyScalar(right).setY(up)));
  }

  /** The body moves against the motion of the phone, until the button is pressed again. */
  async follow_device() {
    if (this.device) {
      removeEventListener('devicemotion', this.device);
      this.device = null;
      await this.push_across(0, 0);
      return;
    }
    const ask = (DeviceMotionEvent as unknown as { requestPermission?: () => Promise<string> }).requestPermission;
    if (ask && (await ask.call(DeviceMotionEvent)) !== 'granted') {
      this.app.events.emit('note', 'This device does not let the page feel its motion.');
      return;
    }
    this.device = ({ acceleration }) => {
      const limited = (value: number | null | undefined) => Math.max(-1, Math.min(1, (value ?? 0) / 12)) * 0.2;
      void this.push_across(-limited(acceleration?.x), -limited(acceleration?.y));
    };
    addEventListener('devicemotion', this.device);
  }
}
