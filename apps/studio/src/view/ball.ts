// A ball that has been thrown, as drawn.
import { Mesh, MeshStandardMaterial, SphereGeometry } from 'three';
import type { Frame } from '../sim/api';

export class BallView {
  readonly root = new Mesh(new SphereGeometry(1, 40, 28), new MeshStandardMaterial({ color: 0xe0573a, roughness: 0.42 }));

  constructor() {
    this.root.visible = false;
    this.root.castShadow = this.root.receiveShadow = true;
    this.root.frustumCulled = false;
    this.root.raycast = () => {};
  }

  update(ball: Frame['ball']) {
    this.root.visible = ball !== null;
    if (!ball) return;
    this.root.position.fromArray(ball.at);
    this.root.scale.setScalar(ball.radius);
  }
}
