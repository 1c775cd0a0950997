// The package as a developer meets it: packed by npm, used in a small Vite app and in one by webpack, built and run in Chromium.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { has_browser, open_browser, open_page, open_studio } from './studio/browser.mjs';
import { data } from './studio/visitor.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const packages = join(root, 'apps/studio/node_modules');
const built = join(root, 'build/fascia-wasm');
const app = join(root, 'build/package-test');
const several = join(data, 'characters/quaternius_Frog.glb');
const shots = join(root, 'build/studio-shots');
const skip = !has_browser ? 'no Chromium' : !existsSync(join(packages, 'vite')) ? 'no Vite' : !existsSync(built) ? 'the package is not built' : false;
mkdirSync(shots, { recursive: true });

let browser, packed;

/** The bunny with joint names that GLTFLoader changes, and all the same. */
async function hero() {
  const { createFascia } = await import(join(built, 'core.js'));
  const bunny = (await createFascia()).bundled('bunny');
  const glb = Buffer.from(bunny.toGlb());
  const size = glb.readUInt32LE(12), json = JSON.parse(glb.subarray(20, 20 + size).toString());
  for (const skin of json.skins) for (const joint of skin.joints) json.nodes[joint].name = 'mixamorig:Bone.L';
  json.animations = json.animations.filter((clip) => clip.name === 'dance');
  const text = Buffer.from(JSON.stringify(json)), chunk = Buffer.alloc(Math.ceil(text.length / 4) * 4, 0x20);
  text.copy(chunk);
  const out = Buffer.concat([glb.subarray(0, 20), chunk, glb.subarray(20 + size)]);
  out.writeUInt32LE(out.length, 8);
  out.writeUInt32LE(chunk.length, 12);
  return out;
}

const five_lines = () => /## Five lines\s+```js\n([\s\S]+?)```/.exec(readFileSync(join(root, 'bindings/wasm/README.md'), 'utf8'))[1];

before(async () => {
  if (skip) return;
  browser = await open_browser();
  rmSync(app, { recursive: true, force: true });
  mkdirSync(join(app, 'node_modules'), { recursive: true });
  mkdirSync(join(app, 'public'));
  const [report] = JSON.parse(execFileSync('npm', ['pack', built, '--json', '--pack-destination', app], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  packed = report;
  execFileSync('tar', ['xzf', join(app, report.filename), '-C', join(app, 'node_modules')]);
  execFileSync('mv', [join(app, 'node_modules/package'), join(app, 'node_modules/fascia-wasm')]);
  symlinkSync(join(packages, 'three'), join(app, 'node_modules/three'));
  symlinkSync(join(packages, '@types'), join(app, 'node_modules/@types'));
  writeFileSync(join(app, 'public/hero.glb'), await hero());
  writeFileSync(join(app, 'index.html'), '<!doctype html><canvas id="view" width="400" height="400"></canvas><script type="module" src="./main.js"></script>');
  writeFileSync(join(app, 'main.js'), `
import * as THREE from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { attachFlesh } from 'fascia-wasm/three';
const renderer = new THREE.WebGLRenderer({ canvas: document.getElementById('view'), preserveDrawingBuffer: true });
const scene = new THREE.Scene().add(new THREE.HemisphereLight(0xffffff, 0x998877, 3));
const camera = new THREE.PerspectiveCamera(35, 1, 0.1, 100);
camera.position.set(2, 2, 4);
camera.lookAt(0, 0.9, 0);
const clock = new THREE.Clock();
Object.assign(globalThis, { GLTFLoader, attachFlesh });
${five_lines()}
Object.assign(globalThis, { THREE, gltf, flesh, scene });
`);
});
after(() => browser?.close());

test('the package has types for every entry, a licence, and nothing else', { skip }, () => {
  const { exports: entries, license, private: is_private } = JSON.parse(readFileSync(join(built, 'package.json'), 'utf8'));
  const files = packed.files.map((file) => file.path);
  for (const entry of Object.values(entries)) for (const file of Object.values(entry)) assert.ok(files.includes(file.slice(2)), file);
  assert.equal(license, 'MIT');
  assert.equal(is_private, undefined);
  for (const needed of ['LICENSE', 'README.md', 'fascia.wasm', 'fascia_threads.worker.js']) assert.ok(files.includes(needed), needed);
  assert.ok(files.every((file) => /\.(js|ts|wasm|json|md)$|^LICENSE$/.test(file)), files.join());
  writeFileSync(join(app, 'types.ts'), `
import { attachFlesh, type AttachedFlesh } from 'fascia-wasm/three';
import { createFascia } from 'fascia-wasm/core.js';
import { ready, type Flesh } from 'fascia-wasm';
import type { GLTF } from 'three/examples/jsm/loaders/GLTFLoader.js';
export async function dress(gltf: GLTF, flesh: Flesh): Promise<AttachedFlesh> {
  const fascia = await createFascia({ threads: 1 });
  (await ready).onBind = (share) => share < 1;
  return attachFlesh(gltf, { fascia, flesh, method: 'layers' });
}
`);
  execFileSync(process.execPath, [join(packages, 'typescript/bin/tsc'), '--noEmit', '--strict', '--skipLibCheck', '--module', 'esnext', '--moduleResolution', 'bundler', '--target', 'es2022', '--lib', 'es2022,dom', join(app, 'types.ts')], { stdio: 'inherit' });
});

/** What the app shows: flesh that swings where the bones are, in the place of the skinned mesh. */
async function check_app(page, notes) {
  await page.waitForFunction(() => globalThis.flesh?.instance?.measures, null, { polling: 100 });
  await page.waitForFunction(() => { flesh.instance.embedSkinned(); return flesh.instance.measures().largest > 0.003; }, null, { polling: 100 });
  const seen = await page.evaluate(() => {
    const { meshes, parts, character, bones } = flesh;
    const box = new THREE.Box3().setFromBufferAttribute(meshes[0].geometry.attributes.position);
    return { meshes: meshes.length, hidden: parts.every((p) => !p.skinned.visible), tall: box.max.y - box.min.y, bones: new Set(bones).size === character.joints.length,
      normals: Math.hypot(...meshes[0].geometry.attributes.normal.array.slice(0, 3)) };
  });
  assert.ok(seen.meshes >= 1 && seen.hidden && seen.bones && seen.tall > 0.5, JSON.stringify(seen));
  assert.ok(Math.abs(seen.normals - 1) < 1e-3);
  assert.deepEqual(notes.errors.filter((text) => !/404/.test(text)), []);
}

const config = { root: app, base: './', logLevel: 'error', optimizeDeps: { exclude: ['fascia-wasm'] }, build: { outDir: join(app, 'dist'), target: 'es2022' } };
const vite = () => import(join(packages, 'vite/dist/node/index.js'));

test('the five lines of the README work in a Vite build; dispose gives the mesh back; wrong calls say what is wrong', { skip }, async () => {
  await (await vite()).build({ configFile: false, ...config });
  const site = await open_studio(join(app, 'dist'), { strict: false });
  const { page, notes, context } = await open_page(browser, { viewport: { width: 420, height: 420 } });
  await page.goto(site.base);
  await check_app(page, notes);
  await page.screenshot({ path: join(shots, 'package.png') });
  const said = await page.evaluate(() => {
    const say = (work) => { try { work(); return ''; } catch (problem) { return problem.message; } };
    const { instance, character } = flesh, m = new THREE.Matrix4();
    const out = [say(() => instance.setJoint(999, m)), say(() => instance.setJoint(0, { elements: [1, 2] })), say(() => instance.pull([1, 2])),
      say(() => instance.pose(77)), say(() => instance.advance(NaN)), say(() => flesh.update()), say(() => character.paint(new Float32Array(3)))];
    renderer_stop();
    flesh.dispose();
    flesh.dispose();
    return [...out, say(() => instance.advance(0.1)), say(() => character.bind()), String(flesh.parts.every((p) => p.skinned.visible)), String(flesh.group.parent)];
    function renderer_stop() { globalThis.flesh.update = () => {}; }
  });
  const wanted = [/no joint 999/, /16 finite numbers/, /3 finite numbers/, /no clip 77/, /seconds as a finite number/, /^$/, /needs \d+ numbers/, /freed/, /freed/, /true/, /null/];
  wanted[5] = /seconds since the last frame/;
  said.forEach((text, i) => assert.match(text, wanted[i]));
  await context.close();
  site.server.close();
});

test('a file of several primitives and materials gets its flesh, part by part', { skip: skip || (existsSync(several) ? false : 'no shared data') }, async () => {
  writeFileSync(join(app, 'dist/hero.vrm'), readFileSync(several));
  const site = await open_studio(join(app, 'dist'), { strict: false });
  const { page, context } = await open_page(browser, { viewport: { width: 420, height: 420 } });
  await page.goto(site.base);
  await check_app(page, { errors: [] });
  const seen = await page.evaluate(async () => {
    const gltf = await new GLTFLoader().loadAsync('hero.vrm'), flesh = await attachFlesh(gltf);
    for (let k = 0; k < 10; k++) {
      flesh.bones[0].position.y += 0.02;
      flesh.update(1 / 60);
    }
    scene.clear().add(new THREE.HemisphereLight(0xffffff, 0x998877, 3), gltf.scene);
    let skinned = 0, shown = 0;
    gltf.scene.traverse((object) => { if (object.isSkinnedMesh) { skinned++; shown += object.visible ? 1 : 0; } });
    const finite = flesh.meshes.every((mesh) => mesh.geometry.attributes.position.array.every(Number.isFinite));
    await new Promise((done) => setTimeout(done, 300));
    return { skinned, shown, meshes: flesh.meshes.length, finite, materials: new Set(flesh.meshes.map((mesh) => mesh.material.uuid)).size };
  });
  assert.ok(seen.skinned > 1 && seen.meshes === seen.skinned && seen.shown === 0 && seen.finite && seen.materials > 1, JSON.stringify(seen));
  await context.close();
  site.server.close();
});

for (const mode of ['production', 'development']) {
  test(`and in a webpack build for ${mode}`, { skip }, async () => {
    const { default: webpack } = await import('webpack');
    const out = join(app, `webpack-${mode}`);
    const stats = await new Promise((done, fail) => webpack({
      mode, context: app, entry: './main.js', output: { path: out, publicPath: 'auto' }, performance: { hints: false }, devtool: false,
    }, (problem, result) => (problem ? fail(problem) : done(result))));
    assert.deepEqual(stats.toJson({ all: false, errors: true }).errors.map((e) => e.message), []);
    for (const [name, text] of [['index.html', '<!doctype html><canvas id="view" width="400" height="400"></canvas><script src="./main.js"></script>'], ['hero.glb', readFileSync(join(app, 'public/hero.glb'))]])
      writeFileSync(join(out, name), text);
    const site = await open_studio(out, { strict: false });
    const { page, notes, context } = await open_page(browser, { viewport: { width: 420, height: 420 } });
    await page.goto(site.base);
    await check_app(page, notes);
    await context.close();
    site.server.close();
  });
}

test('and on the development server', { skip }, async () => {
  const server = await (await vite()).createServer({ configFile: false, ...config, server: { host: '127.0.0.1', port: 0, fs: { strict: false } } });
  await server.listen();
  const { page, notes, context } = await open_page(browser, { viewport: { width: 420, height: 420 } });
  await page.goto(`http://127.0.0.1:${server.httpServer.address().port}/`);
  await check_app(page, notes);
  await context.close();
  await server.close();
});
