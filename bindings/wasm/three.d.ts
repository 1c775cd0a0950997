import type { Clock, Group, Mesh, Object3D } from 'three';
import type { Character, Fascia, Flesh, Instance, UnpackOptions } from './index.js';

/** What GLTFLoader gives to its callback. */
export interface LoadedGltf { scene: Object3D; scenes?: Object3D[]; parser: object; }

export interface AttachOptions extends Pick<UnpackOptions, 'draco' | 'meshopt'> {
  method?: string;
  /** A flesh file, as object or text; null: the default. */
  flesh?: Flesh | string | null;
  /** A module of your own, with other threads or another place; otherwise one is loaded and shared. */
  fascia?: Fascia | Promise<Fascia>;
  /** The file, if the parser of GLTFLoader is gone. */
  bytes?: Uint8Array;
  /** For messages. */
  name?: string;
  /** For update() without dt. */
  clock?: Clock | null;
}

export interface AttachedFlesh {
  readonly instance: Instance;
  readonly character: Character;
  /** Holds the meshes that show the flesh. */
  readonly group: Group;
  readonly meshes: Mesh[];
  /** One frame, after the mixer has posed the bones. */
  update(dt?: number): void;
  /** After a teleport or a cut. */
  reset(): void;
  /** Shows the skinned meshes again and frees everything. */
  dispose(): void;
}

/** Flesh for a loaded glTF or VRM: joints are found by the number of their node, and every primitive is shown. */
export function attachFlesh(gltf: LoadedGltf, options?: AttachOptions): Promise<AttachedFlesh>;
