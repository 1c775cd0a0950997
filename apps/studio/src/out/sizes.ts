// How large an export will be, before it is made.
import type { CharacterInfo } from '../sim/api';

/** Larger files are slow to load everywhere. */
export const large_file = 50e6;

/** A header, then three numbers per vertex and frame. */
export const pc2_bytes = ({ vertices }: CharacterInfo, frames: number) => 32 + 12 * vertices * frames;

/** The file itself, and a morph target per frame: positions and normals, and a weight per frame and target. */
export const glb_bytes = ({ glb, vertices }: CharacterInfo, frames: number) => glb.length + frames * (24 * vertices + 4 * frames + 200);

export const megabytes = (bytes: number) => `${bytes < 10e6 ? (bytes / 1e6).toFixed(1) : Math.round(bytes / 1e6)} MB`;
