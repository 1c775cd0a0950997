export { canUseThreads, createFascia, unpackGltf, Bake, Character, Fascia, Instance, World } from './index.js';
export type * from './index.js';
