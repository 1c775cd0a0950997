// The methods in words for people who have not read the publications.
import type { MethodInfo } from '../sim/api';

const titles: Record<string, string | undefined> = {
  lbs: 'Plain skinning',
  dqs: 'Skinning without pinches',
  'bones-blending': 'Joints blended along the bone',
  layers: 'Bone, muscle, fat and skin',
  lattice: 'A body that keeps its volume',
  particles: 'Flesh in layers under the skin',
  'volumetric-dqs': 'Skinning through the inside',
  'volumetric-arap': 'Rubber around bones',
  handles: 'A surface held by points',
};

/** What a method does; its own name where the page has no words for it. */
export const title_of = (name: string) => titles[name] ?? name;

/** Its name in files and commands, and where it comes from. */
export function origin_of(method: MethodInfo): string {
  const known = method.from !== 'background';
  return known ? `${method.name} · ${method.from}` : method.name;
}

const carried: Record<string, string | undefined> = {
  auto: 'As the method does it',
  trilinear: 'Mixed from the corners around it',
  blend: 'Mixed motions of the corners',
  dq: 'Mixed motions, turned evenly',
  rbf: 'Smooth, as one',
  domains: 'Smooth, bone by bone',
};
/** How points carry the surface. */
export const carried_title = (name: string) => carried[name] ?? name;

/** For a list to choose from: those with flesh that swings first. */
export function grouped(methods: MethodInfo[]): [group: string, entries: [value: string, text: string][]][] {
  const entries = (simulates: boolean) =>
    methods.filter((m) => m.abilities.simulates === simulates).map((m): [string, string] => [m.name, title_of(m.name)]);
  return [['Flesh that swings', entries(true)], ['Follows the pose, no swing', entries(false)]];
}
