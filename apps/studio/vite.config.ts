import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const here = dirname(fileURLToPath(import.meta.url));
const wasm = join(here, '../../build/fascia-wasm');
/** Its module in two halves: a visit begins with the smaller download. */
const lean = join(here, '../../build/fascia-wasm-lean');
const draco = join(here, 'node_modules/three/examples/jsm/libs/draco/gltf');

/** Draco's decoder is a classic script; with an export added, it loads as a module, without eval or blobs. */
function draco_decoder(): Plugin {
  return {
    name: 'draco-decoder',
    resolveId: (id) => (id === 'virtual:draco' || id === 'virtual:draco-wasm' ? `\0${id}` : null),
    load(id) {
      if (id === '\0virtual:draco') {
        const script = readFileSync(join(draco, 'draco_wasm_wrapper.js'), 'utf8');
        const own = script.slice(0, script.lastIndexOf('"object"===typeof exports&&"object"===typeof module'));
        // Only node would need this.
        return `${own.replace(/require\("(fs|path)"\)/g, 'null')}\nexport default DracoDecoderModule;`;
      }
      if (id === '\0virtual:draco-wasm') {
        const file = this.emitFile({ type: 'asset', name: 'draco_decoder.wasm', source: readFileSync(join(draco, 'draco_decoder.wasm')) });
        return `export default import.meta.ROLLUP_FILE_URL_${file};`;
      }
      return null;
    },
  };
}

/** The WASM package is copied unchanged: its files find one another by name. */
function fascia_package(): Plugin {
  return {
    name: 'fascia-package',
    generateBundle() {
      if (!existsSync(wasm)) throw new Error('build/fascia-wasm is missing: run scripts/build_wasm.sh first.');
      for (const folder of [wasm, lean])
        for (const name of readdirSync(folder).filter((n) => /\.(js|wasm)$/.test(n)))
          this.emitFile({ type: 'asset', fileName: `fascia/${name}`, source: readFileSync(join(folder, name)) });
    },
  };
}

/** three.js as it comes, for the folder that the page exports. */
function three_package(): Plugin {
  const three = join(here, 'node_modules/three');
  const addons = ['loaders/GLTFLoader.js', 'utils/BufferGeometryUtils.js', 'utils/SkeletonUtils.js', 'controls/OrbitControls.js'];
  return {
    name: 'three-package',
    generateBundle() {
      const add = (fileName: string, from: string) => this.emitFile({ type: 'asset', fileName: `three/${fileName}`, source: readFileSync(join(three, from)) });
      for (const name of ['three.module.js', 'three.core.js']) add(name, `build/${name}`);
      for (const name of addons) add(`addons/${name}`, `examples/jsm/${name}`);
    },
  };
}

export default defineConfig({
  base: './',
  publicDir: false,
  plugins: [draco_decoder(), fascia_package(), three_package()],
  worker: { format: 'es', plugins: () => [draco_decoder()] },
  build: {
    outDir: '../../build/studio',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2000,
    reportCompressedSize: false,
  },
});
