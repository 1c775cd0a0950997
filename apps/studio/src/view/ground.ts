// A floor that catches the shadow and shows a faint grid, so that a walk is seen to make progress.
import { CircleGeometry, Color, Group, Mesh, ShaderMaterial, ShadowMaterial } from 'three';

const vertex = `
varying vec2 place;
varying vec2 local;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  place = world.xz;
  local = position.xy;
  gl_Position = projectionMatrix * viewMatrix * world;
}`;

const fragment = `
uniform vec3 color;
uniform float strength;
varying vec2 place;
varying vec2 local;
void main() {
  vec2 cell = place / 0.25;
  vec2 near = abs(fract(cell - 0.5) - 0.5) / fwidth(cell);
  float line = 1.0 - min(min(near.x, near.y), 1.0);
  float fade = smoothstep(2.2, 0.2, length(local));
  gl_FragColor = vec4(color, line * fade * strength);
}`;

export class Ground {
  readonly root = new Group();
  private grid: ShaderMaterial;
  private shadow = new ShadowMaterial({ opacity: 0.22 });

  constructor() {
    this.grid = new ShaderMaterial({
      vertexShader: vertex,
      fragmentShader: fragment,
      uniforms: { color: { value: new Color() }, strength: { value: 0.3 } },
      transparent: true,
      depthWrite: false,
    });
    const catcher = new Mesh(new CircleGeometry(2.4, 48), this.shadow);
    catcher.receiveShadow = true;
    const lines = new Mesh(new CircleGeometry(2.4, 48), this.grid);
    for (const mesh of [catcher, lines]) mesh.rotation.x = -Math.PI / 2;
    lines.position.y = -0.0005;
    this.root.add(catcher, lines);
  }

  set_theme(line: string, dark: boolean) {
    this.grid.uniforms.color!.value.set(line);
    this.grid.uniforms.strength!.value = dark ? 0.1 : 0.13;
    this.shadow.opacity = dark ? 0.45 : 0.2;
  }
}
