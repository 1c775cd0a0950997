// The address bar contains everything needed to see the same view again.
import { embeds, type Embed, type Flesh, type Paint } from './sim/api';
import type { InsideColour } from './view/inside';

export interface Shown {
  character: string;
  clip: string;
  method: string;
  second: string | null;
  embed: Embed;
  split: number;
  paint: Paint;
  joint: string;
  inside: boolean;
  insideColour: InsideColour;
  particles: boolean;
  cells: boolean;
  cutAxis: number;
  cut: number;
  hidden: string[];
  speed: number;
  loop: boolean;
  wind: number;
  flesh: Flesh;
  camera: number[];
}

const round = (x: number) => Math.round(x * 1000) / 1000;

export function write_link(shown: Shown): string {
  const q = new URLSearchParams();
  q.set('character', shown.character);
  if (shown.clip) q.set('clip', shown.clip);
  q.set('method', shown.method);
  if (shown.second) {
    q.set('second', shown.second);
    q.set('split', String(round(shown.split)));
  }
  if (shown.embed !== 'auto') q.set('embed', shown.embed);
  if (shown.paint !== 'none') q.set('paint', shown.paint);
  if (shown.paint === 'weights' && shown.joint) q.set('joint', shown.joint);
  if (shown.inside) {
    q.set('inside', '1');
    q.set('cut', `${'xyz'[shown.cutAxis]}${round(shown.cut)}`);
    if (shown.insideColour !== 'joints') q.set('parts', shown.insideColour);
    if (!shown.particles) q.set('particles', '0');
    if (!shown.cells) q.set('cells', '0');
    if (shown.hidden.length > 0) q.set('hidden', shown.hidden.join(' '));
  }
  if (shown.speed !== 1) q.set('speed', String(shown.speed));
  if (!shown.loop) q.set('loop', '0');
  if (shown.wind > 0) q.set('wind', String(shown.wind));
  const keys = Object.keys(shown.flesh);
  if (keys.length > 1 || (shown.flesh.preset ?? 'default') !== 'default') q.set('flesh', JSON.stringify(shown.flesh));
  q.set('camera', shown.camera.map(round).join(' '));
  return `#${q}`;
}

const number = (text: string | null, fallback: number, least: number, most: number) => {
  const value = text === null || text === '' ? NaN : Number(text);
  return Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : fallback;
};

/** Anything in a link that makes no sense is ignored. */
export function read_link(hash: string): Partial<Shown> {
  const q = new URLSearchParams(hash.replace(/^#/, ''));
  const out: Partial<Shown> = {};
  const text = (key: string, take: (value: string) => void) => {
    const value = q.get(key);
    if (value) take(value);
  };
  text('character', (v) => { out.character = v; });
  text('clip', (v) => { out.clip = v; });
  text('method', (v) => { out.method = v; });
  text('second', (v) => { out.second = v; });
  text('joint', (v) => { out.joint = v; });
  text('embed', (v) => {
    if (embeds.includes(v as Embed)) out.embed = v as Embed;
  });
  text('paint', (v) => {
    if (['weights', 'strain', 'offset', 'difference', 'domains'].includes(v)) out.paint = v as Paint;
  });
  if (q.has('split')) out.split = number(q.get('split'), 0.5, 0.05, 0.95);
  if (q.get('inside') === '1') out.inside = true;
  text('cut', (v) => {
    out.cutAxis = Math.max(0, 'xyz'.indexOf(v[0]!));
    out.cut = number(v.slice(1), 0, 0, 1);
  });
  text('parts', (v) => {
    if (['layers', 'bones', 'joints'].includes(v)) out.insideColour = v as InsideColour;
  });
  if (q.get('particles') === '0') out.particles = false;
  if (q.get('cells') === '0') out.cells = false;
  text('hidden', (v) => { out.hidden = v.split(' '); });
  if (q.has('speed')) out.speed = number(q.get('speed'), 1, 0.1, 2);
  if (q.get('loop') === '0') out.loop = false;
  if (q.has('wind')) out.wind = number(q.get('wind'), 0, 0, 3);
  text('flesh', (v) => {
    try {
      const flesh: unknown = JSON.parse(v);
      if (typeof flesh === 'object' && flesh !== null && !Array.isArray(flesh)) out.flesh = flesh as Flesh;
    } catch {
      // The link was cut short: fall back to the preset.
    }
  });
  text('camera', (v) => {
    const camera = v.split(' ').map(Number);
    if (camera.length === 6 && camera.every(Number.isFinite)) out.camera = camera;
  });
  return out;
}
