// Handles over the body: discs, rings where one is free, and lines for their links.
import {
  BufferAttribute, BufferGeometry, CanvasTexture, Group, LineBasicMaterial, LineSegments, Points, PointsMaterial, SRGBColorSpace, Vector3, type Camera,
} from 'three';
import type { PosedHandle } from '../pose/document';

type Kind = 'held' | 'free' | 'chosen';
const looks: Record<Kind, { fill: string; line: string; size: number }> = {
  held: { fill: '#ffffff', line: '#bf4128', size: 15 }, free: { fill: 'rgba(255,255,255,0.25)', line: '#bf4128', size: 13 },
  chosen: { fill: '#bf4128', line: '#ffffff', size: 20 },
};

function disc({ fill, line }: { fill: string; line: string }): CanvasTexture {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 64;
  const context = canvas.getContext('2d')!;
  context.arc(32, 32, 24, 0, 2 * Math.PI);
  context.fillStyle = fill;
  context.fill();
  context.lineWidth = 9;
  context.strokeStyle = line;
  context.stroke();
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  return texture;
}

const over_all = { toneMapped: false, transparent: true, depthTest: false, depthWrite: false };

export class HandleMarks {
  readonly root = new Group();
  /** [handles * 3] where they are now, in the units of the body. */
  places: Float32Array = new Float32Array(0);
  private points = {} as Record<Kind, Points>;
  private links = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color: 0xbf4128, opacity: 0.65, ...over_all }));

  constructor() {
    for (const kind of ['held', 'free', 'chosen'] as const) {
      const material = new PointsMaterial({ map: disc(looks[kind]), size: looks[kind].size, sizeAttenuation: false, ...over_all });
      this.points[kind] = new Points(new BufferGeometry(), material);
    }
    this.root.add(this.links, this.points.held, this.points.free, this.points.chosen);
    this.root.children.forEach((child, k) => {
      child.renderOrder = 10 + k;
      child.frustumCulled = false;
      child.raycast = () => {};
    });
    this.root.visible = false;
  }

  /** ratio: pixels of the canvas per pixel of the page. */
  update(handles: PosedHandle[], places: Float32Array, chosen: number, ratio: number) {
    this.places = places;
    const of = (list: number[]) => new BufferAttribute(Float32Array.from(list.flatMap((k) => [...places.subarray(3 * k, 3 * k + 3)])), 3);
    const all = handles.map((_, k) => k);
    const kinds: Record<Kind, number[]> = {
      held: all.filter((k) => k !== chosen && handles[k]!.held), free: all.filter((k) => k !== chosen && !handles[k]!.held),
      chosen: all.filter((k) => k === chosen),
    };
    for (const kind of ['held', 'free', 'chosen'] as const) {
      this.points[kind].geometry.setAttribute('position', of(kinds[kind]));
      (this.points[kind].material as PointsMaterial).size = looks[kind].size * ratio;
    }
    this.links.geometry.setAttribute('position', of(all.flatMap((k) => (handles[k]!.link < 0 ? [] : [k, handles[k]!.link]))));
  }

  /** Where a handle is, in the scene. */
  place(handle: number): Vector3 {
    return this.root.localToWorld(new Vector3().fromArray(this.places, 3 * handle));
  }

  /** The nearest handle within `reach` pixels of a place in the view; -1 if there is none. */
  nearest(x: number, y: number, box: DOMRect, camera: Camera, reach: number): number {
    let best = -1, least = reach;
    for (let k = 0; 3 * k < this.places.length; k++) {
      const seen = this.place(k).project(camera);
      const far = Math.hypot(box.left + ((seen.x + 1) / 2) * box.width - x, box.top + ((1 - seen.y) / 2) * box.height - y);
      if (far < least && seen.z < 1) [best, least] = [k, far];
    }
    return best;
  }
}
