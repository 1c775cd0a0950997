// What was dropped: characters, each with the files that belong to it, motions, a flesh file.
import type { NamedBytes } from '../sim/api';

export interface Sorted {
  /** Each with its main file first. */
  characters: NamedBytes[][];
  motions: NamedBytes[];
  flesh: NamedBytes | null;
}

const ends = (pattern: RegExp) => (file: NamedBytes) => pattern.test(file.name);
const is_whole = ends(/\.(glb|vrm|obj|ply|off)$/i), is_gltf = ends(/\.gltf$/i), is_motion = ends(/\.bvh$/i), is_flesh = ends(/\.json$/i);

export function sort_files(files: NamedBytes[]): Sorted {
  const parts = files.filter((f) => !is_whole(f) && !is_gltf(f) && !is_motion(f) && !is_flesh(f));
  const characters = [...files.filter(is_whole).map((f) => [f]), ...files.filter(is_gltf).map((f) => [f, ...parts])];
  const motions = files.filter(is_motion), flesh = files.find(is_flesh) ?? null;
  // Nothing that the page knows: the reader says what is wrong with it.
  if (characters.length === 0 && motions.length === 0 && !flesh && parts.length > 0) characters.push(parts);
  return { characters, motions, flesh };
}
