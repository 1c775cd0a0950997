declare module 'virtual:draco' {
  const create: (options: { wasmBinary: Uint8Array }) => Promise<unknown>;
  export default create;
}
declare module 'virtual:draco-wasm' {
  const url: string;
  export default url;
}
declare module '*.css';
declare module '@fontsource-variable/inter/wght.css';
