// Press on the skin and drag: the flesh follows. A click picks the body part. Dragging beside the body turns the
// camera.
import { Plane, Raycaster, Vector2, Vector3 } from 'three';
import type { App } from '../app';

const slop = 5; // pixels that a click may move

export function listen_to_pointer(app: App) {
  const { canvas, camera, controls, world } = app.stage;
  let start: { x: number; y: number; id: number; vertex: number } | null = null;
  let plane: Plane | null = null;
  let pulled: Promise<boolean> | null = null;

  const local = (point: Vector3): [number, number, number] => world.worldToLocal(point.clone()).toArray();
  const on_plane = (x: number, y: number): Vector3 | null => {
    const box = canvas.getBoundingClientRect();
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2), camera);
    return ray.ray.intersectPlane(plane!, new Vector3());
  };

  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || !event.isPrimary || app.posing.on) return; // there, the camera turns wherever no handle is
    const hit = app.hit(event.clientX, event.clientY);
    if (!hit) return;
    // The camera does not move while the skin is held.
    controls.enabled = false;
    canvas.setPointerCapture(event.pointerId);
    start = { x: event.clientX, y: event.clientY, id: event.pointerId, vertex: hit.vertex };
    plane = new Plane().setFromNormalAndCoplanarPoint(camera.getWorldDirection(new Vector3()), hit.point);
    canvas.classList.add('holding');
    if (app.inside) return;
    if (app.painting.on) return app.painting.stroke_start(hit.vertex);
    app.set_grasp({ vertex: hit.vertex, x: event.clientX, y: event.clientY });
    pulled = app.pull_start(local(hit.point));
  }, { capture: true });

  canvas.addEventListener('pointermove', (event) => {
    if (!start || event.pointerId !== start.id) return;
    if (app.painting.on) {
      const hit = app.hit(event.clientX, event.clientY);
      if (hit) app.painting.stroke_on(hit.vertex);
      return;
    }
    if (!pulled) return;
    app.set_grasp({ vertex: start.vertex, x: event.clientX, y: event.clientY });
    const point = on_plane(event.clientX, event.clientY);
    if (point) app.pull_move(local(point));
  });

  // Over flesh, the pointer is a hand that can take hold. Looking for it costs a ray through the whole skin.
  let look_after = 0;
  canvas.addEventListener('pointermove', (event) => {
    if (start || event.buttons !== 0 || event.timeStamp < look_after || app.posing.on) return;
    const began = performance.now();
    canvas.classList.toggle('over-flesh', !app.inside && app.hit(event.clientX, event.clientY) !== null);
    look_after = event.timeStamp + 40 + 10 * (performance.now() - began);
  });

  const end = (event: PointerEvent) => {
    if (!start || event.pointerId !== start.id) return;
    const still = Math.hypot(event.clientX - start.x, event.clientY - start.y) < slop;
    if (app.painting.on) void app.painting.stroke_end();
    else if (still && event.type === 'pointerup') app.choose_part(app.info!.joints[app.info!.mainJoint[start.vertex]!]?.name ?? null);
    if (pulled) app.pull_end();
    pulled = null;
    start = null;
    controls.enabled = true;
    canvas.classList.remove('holding');
  };
  canvas.addEventListener('pointerup', end);
  canvas.addEventListener('pointercancel', end);
}
