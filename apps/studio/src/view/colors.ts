// Colours that stand for values: the same as in the command line's pictures.
import { Color } from 'three';

const heat = ['#e3e3e0', '#f2dd8e', '#f4b03e', '#e56b2c', '#ba2631', '#6b0f3c'].map((c) => new Color(c));
const base = ['#3b75b8', '#f2a93b', '#2c9c83', '#d65f3f', '#86c5e8', '#8a4f9e', '#e8d958', '#d98cb3', '#6e6a66'].map((c) => new Color(c));
const white = new Color(1, 1, 1), black = new Color(0, 0, 0);

export const layer_colors = { bone: '#efece2', muscle: '#c2352f', fat: '#5aa84f', skin: '#f0b3a6', flesh: '#e39a8a' } as const;
export const heat_gradient = 'linear-gradient(90deg, #e3e3e0, #f2dd8e, #f4b03e, #e56b2c, #ba2631, #6b0f3c)';

export function heat_color(value: number, out: Color): Color {
  const place = Math.min(Math.max(value || 0, 0), 1) * (heat.length - 1);
  const below = Math.min(Math.floor(place), heat.length - 2);
  return out.lerpColors(heat[below]!, heat[below + 1]!, place - below);
}

/** Accepts any number: a frame may still carry the values of the previous colouring. */
export function index_color(value: number, out: Color): Color {
  const index = Math.max(0, Math.round(value) || 0);
  out.copy(base[index % base.length]!);
  const round = Math.floor(index / base.length) % 3;
  return round === 1 ? out.lerp(white, 0.45) : round === 2 ? out.lerp(black, 0.5) : out;
}

export const index_hex = (index: number) => `#${index_color(index, new Color()).getHexString()}`;

export function layer_color(name: string): Color {
  return new Color(layer_colors[name as keyof typeof layer_colors] ?? '#86c5e8');
}
