export { unpackGltf } from './index.js';
export type { UnpackOptions } from './index.js';
