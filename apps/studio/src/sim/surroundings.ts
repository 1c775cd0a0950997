// What the body meets besides its own motion: wind, and a ball that is thrown at it.
import type { Fascia, World } from '../../../../bindings/wasm/index';

type Point = [number, number, number];

/** In sizes of the body. */
const radius = 0.065;
/** Seconds from the hand to the skin, and until the ball is gone. */
const flight = 0.5, lifetime = 4;
/** Skin pushes the ball out by this much per second squared and depth; what it has been pressed in by, it gives back in part. */
const stiffness = 2600, given_back = 0.2;
const floor_bounce = 0.5, floor_grip = 0.97;
const step = 1 / 240;
/** Share of the wind that comes in gusts, and how large these are, in sizes. */
const gusts = 0.6, gust_size = 0.4;

interface Ball { at: Point; speed: Point; left: number; }

export class Surroundings {
  ball: Ball | null = null;
  /** Acceleration of the flesh, in sizes per second squared. */
  private push: Point = [0, 0, 0];
  private world: World | null = null;

  constructor(private fascia: Fascia, private size: number, private floor: number) {}

  get radius() {
    return radius * this.size;
  }
  get blows() {
    return this.push.some((value) => value !== 0);
  }
  /** Does anything happen even while the motion is paused? */
  get active() {
    return this.ball !== null || this.blows;
  }

  blow(push: Point) {
    this.push = push;
    this.drop_world();
  }

  /** Thrown so that it arrives at `to`. */
  throw(from: Point, to: Point) {
    const speed = to.map((value, k) => (value - from[k]!) / flight) as Point;
    speed[1] += (this.fall * flight) / 2;
    this.ball = { at: [...from], speed, left: lifetime };
    this.drop_world();
  }

  /** Of a person's height, in the body's own units. */
  private get fall() {
    return (9.81 * this.size) / 1.7;
  }

  /** The world in which the next dt seconds are advanced; null: there is nothing to meet. surface: [vertices * 3] */
  advance(dt: number, surface: Float32Array): World | null {
    if (this.ball) this.fly(this.ball, dt, surface);
    if (!this.active) {
      this.drop_world();
      return null;
    }
    if (!this.world) {
      this.world = this.make_world();
      if (this.ball) this.world.move(0, this.ball.at, true);
    }
    this.world.beginFrame(dt);
    if (this.ball) this.world.move(0, this.ball.at);
    return this.world;
  }

  /** Only the wind, from its beginning: for exports. */
  wind(): World | null {
    return this.blows ? this.fascia.world({ wind: this.wind_settings() }) : null;
  }

  private wind_settings() {
    const push = this.push.map((value) => value * this.size);
    return { push, turbulence: gusts * Math.hypot(...push), eddy: gust_size * this.size, pace: 1.5 };
  }
  private make_world() {
    const ball = { name: 'ball', shape: 'sphere', radius: this.radius };
    return this.fascia.world({ colliders: this.ball ? [ball] : [], wind: this.wind_settings() });
  }

  private fly(ball: Ball, dt: number, surface: Float32Array) {
    ball.left -= dt;
    if (ball.left <= 0) {
      this.ball = null;
      this.drop_world();
      return;
    }
    const near = nearby(surface, ball, this.radius, dt);
    const steps = Math.max(1, Math.round(dt / step)), h = dt / steps;
    for (let k = 0; k < steps; k++) this.step_ball(ball, h, surface, near);
  }

  private step_ball({ at, speed }: Ball, h: number, surface: Float32Array, near: number[]) {
    speed[1] -= this.fall * h;
    const { depth, out } = touch(surface, near, at, this.radius);
    if (depth > 0) {
      const leaving = speed[0] * out[0] + speed[1] * out[1] + speed[2] * out[2] > 0;
      const push = stiffness * depth * (leaving ? given_back : 1) * h;
      for (let k = 0; k < 3; k++) speed[k]! += push * out[k]!;
    }
    for (let k = 0; k < 3; k++) at[k]! += speed[k]! * h;
    const lowest = this.floor + this.radius;
    if (at[1] >= lowest) return;
    at[1] = lowest;
    speed[1] = Math.abs(speed[1]) * floor_bounce;
    speed[0] *= floor_grip;
    speed[2] *= floor_grip;
  }

  private drop_world() {
    this.world?.free();
    this.world = null;
  }
  free() {
    this.ball = null;
    this.drop_world();
  }
}

/** Vertices that the ball may reach within dt. */
function nearby(surface: Float32Array, { at, speed }: Ball, radius: number, dt: number): number[] {
  const reach = radius + 2 * dt * Math.hypot(...speed), found: number[] = [];
  for (let i = 0; i < surface.length; i += 3)
    if (Math.abs(surface[i]! - at[0]) < reach && Math.abs(surface[i + 1]! - at[1]) < reach && Math.abs(surface[i + 2]! - at[2]) < reach) found.push(i);
  return found;
}

/** How deep the skin is in the ball, and which way is out. */
function touch(surface: Float32Array, near: number[], at: Point, radius: number): { depth: number; out: Point } {
  const out: Point = [0, 0, 0];
  let depth = 0;
  for (const i of near) {
    const away = [at[0] - surface[i]!, at[1] - surface[i + 1]!, at[2] - surface[i + 2]!];
    const far = Math.hypot(...away), deep = radius - far;
    if (deep <= 0 || far === 0) continue;
    depth = Math.max(depth, deep);
    for (let k = 0; k < 3; k++) out[k]! += (away[k]! / far) * deep;
  }
  const length = Math.hypot(...out);
  return { depth: length > 0 ? depth : 0, out: length > 0 ? (out.map((value) => value / length) as Point) : out };
}
