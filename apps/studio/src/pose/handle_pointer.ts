// The pointer on handles: drag moves or turns them, Shift and a click add one, a drag with the link tool links two.
import { Plane, Raycaster, Ray, Vector2, Vector3 } from 'three';
import type { App } from '../app';
import type { Point } from './document';

const reach = { mouse: 14, pen: 18, touch: 30 } as Record<string, number>; // pixels

interface Held { id: number; handle: number; start: Vector3; normal: Vector3; from: [number, number]; linking: boolean; moved: boolean; }

const axes: Record<string, Vector3> = { x: new Vector3(1, 0, 0), y: new Vector3(0, 1, 0), z: new Vector3(0, 0, 1) };

/** The point of a line that is nearest to a ray. */
function on_line(from: Vector3, along: Vector3, ray: Ray): Vector3 {
  const between = from.clone().sub(ray.origin), b = along.dot(ray.direction);
  const apart = 1 - b * b;
  if (apart < 1e-4) return from.clone(); // seen end on
  return from.clone().addScaledVector(along, (b * ray.direction.dot(between) - along.dot(between)) / apart);
}

export function listen_to_handles(app: App) {
  const { canvas, camera, controls, world } = app.stage, { posing } = app;
  let held: Held | null = null;

  const local = (point: Vector3): Point => world.worldToLocal(point.clone()).toArray();
  const ray_at = (x: number, y: number): Ray => {
    const box = canvas.getBoundingClientRect(), caster = new Raycaster();
    camera.updateMatrixWorld(); // it may have been moved since it drew last
    caster.setFromCamera(new Vector2(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2), camera);
    return caster.ray;
  };
  const handle_at = (event: PointerEvent, more = 1) => {
    camera.updateMatrixWorld();
    return posing.marks.nearest(event.clientX, event.clientY, canvas.getBoundingClientRect(), camera, more * (reach[event.pointerType] ?? 14));
  };
  /** How high the handle lies over the floor when its flesh touches it. */
  const clearance = (handle: number) => app.figure.rest_distance(posing.document.handles[handle]!.at) / app.info!.size;

  const target = (x: number, y: number): Vector3 | null => {
    const ray = ray_at(x, y), { start, normal, handle } = held!;
    const axis = axes[posing.along];
    if (axis) return on_line(start, axis, ray);
    const plane = posing.along === 'ground' ? new Plane(new Vector3(0, 1, 0), -clearance(handle)) : new Plane().setFromNormalAndCoplanarPoint(normal, start);
    const point = ray.intersectPlane(plane, new Vector3());
    return point && point.distanceTo(camera.position) < 40 ? point : null; // towards the horizon it would fly away
  };
  /** Seen from the camera, how far the pointer has gone around the handle. */
  const angle = (event: PointerEvent): number => {
    const box = canvas.getBoundingClientRect(), seen = held!.start.clone().project(camera);
    const [x, y] = [box.left + ((seen.x + 1) / 2) * box.width, box.top + ((1 - seen.y) / 2) * box.height];
    const [a, b] = [held!.from, [event.clientX, event.clientY]].map(([u, v]) => Math.atan2(y - v!, u! - x));
    // A press on the disc itself has no direction: there, dragging sideways turns.
    return Math.hypot(held!.from[0] - x, held!.from[1] - y) < 8 ? (event.clientX - held!.from[0]) * 0.012 : b! - a!;
  };

  const add_at = (event: PointerEvent): boolean => {
    const through = app.figure.through(event.clientX, event.clientY);
    if (!through) return false;
    void posing.add(through.rest, through.now);
    return true;
  };

  canvas.addEventListener('pointerdown', (event) => {
    if (!posing.on || event.button !== 0 || !event.isPrimary) return;
    const handle = posing.busy ? -1 : handle_at(event), adding = event.shiftKey || posing.tool === 'add';
    if (adding && handle < 0 && !posing.busy && add_at(event)) return event.stopImmediatePropagation();
    if (handle < 0) return;
    event.stopImmediatePropagation();
    controls.enabled = false;
    canvas.setPointerCapture(event.pointerId);
    canvas.classList.add('holding');
    const start = posing.marks.place(handle);
    held = { id: event.pointerId, handle, start, normal: camera.getWorldDirection(new Vector3()), from: [event.clientX, event.clientY], linking: posing.tool === 'link', moved: false };
    if (held.linking) posing.choose(handle);
    else posing.drag_start(handle);
  }, { capture: true });

  canvas.addEventListener('pointermove', (event) => {
    if (!held || event.pointerId !== held.id) return;
    event.stopImmediatePropagation();
    held.moved ||= Math.hypot(event.clientX - held.from[0], event.clientY - held.from[1]) > 2;
    if (!held.moved) return;
    if (held.linking) return app.set_grasp({ from: held.from, x: event.clientX, y: event.clientY });
    if (posing.tool === 'turn') return posing.turn_by(held.normal.clone().negate(), angle(event));
    const to = target(event.clientX, event.clientY);
    if (to) posing.drag_to(local(to));
  }, { capture: true });

  const end = (event: PointerEvent) => {
    if (!held || event.pointerId !== held.id) return;
    event.stopImmediatePropagation();
    const { linking, handle, moved } = held;
    held = null;
    controls.enabled = true;
    canvas.classList.remove('holding');
    if (linking) {
      app.set_grasp(null);
      const other = handle_at(event, 1.6);
      if (event.type === 'pointerup' && other >= 0 && other !== handle) void posing.link(handle, other);
    } else if (moved) void posing.drag_end();
    else posing.drag_cancel();
  };
  canvas.addEventListener('pointerup', end, { capture: true });
  canvas.addEventListener('pointercancel', end, { capture: true });
  // Over a handle, the pointer is a hand that can take hold.
  canvas.addEventListener('pointermove', (event) => {
    if (posing.on && !held && event.buttons === 0) canvas.classList.toggle('over-flesh', handle_at(event) >= 0);
  });
}
