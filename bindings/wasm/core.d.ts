export { canUseThreads, createFascia, unpackGltf, Bake, Character, Fascia, Instance } from './index.js';
export type * from './index.js';
