// Where the camera has to stand so that a body fills the view.
import { Vector3, type PerspectiveCamera } from 'three';

/** Share of the view that the body may fill. */
const fill = 0.78;
const looked_at = 3000; // vertices

export interface Framing { target: Vector3; distance: number; }

/**
 * positions: [vertices * 3], `place` takes them to the scene. towards: from the body to the camera. The silhouette is
 * centred, and as large as fits in both directions.
 */
export function frame_silhouette(positions: Float32Array, place: (point: Vector3) => Vector3, towards: Vector3, camera: PerspectiveCamera): Framing {
  const depth = towards.clone().normalize();
  const right = new Vector3().crossVectors(camera.up, depth).normalize(), up = new Vector3().crossVectors(depth, right);
  const tall = fill * Math.tan((camera.fov * Math.PI) / 360), wide = tall * camera.aspect;
  const step = 3 * Math.max(1, Math.floor(positions.length / 3 / looked_at));
  const seen: [x: number, y: number, z: number][] = [];
  const point = new Vector3();
  for (let i = 0; i + 2 < positions.length; i += step) {
    place(point.set(positions[i]!, positions[i + 1]!, positions[i + 2]!));
    seen.push([point.dot(right), point.dot(up), point.dot(depth)]);
  }
  const middle = (k: 0 | 1 | 2) => {
    const [least, most] = seen.reduce(([a, b], p) => [Math.min(a, p[k]), Math.max(b, p[k])] as const, [Infinity, -Infinity] as const);
    return (least + most) / 2;
  };
  const [x, y, z] = [middle(0), middle(1), middle(2)];
  const distance = seen.reduce((far, p) => Math.max(far, p[2] - z + Math.max(Math.abs(p[0] - x) / wide, Math.abs(p[1] - y) / tall)), 0);
  const target = new Vector3().addScaledVector(right, x).addScaledVector(up, y).addScaledVector(depth, z);
  return { target, distance };
}
