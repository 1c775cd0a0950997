// The character with its flesh as a folder for three.js developers: a page that runs as it is, and everything it needs.
import type { App } from '../app';
import { painted_glb } from './painted_glb';
import { zip, type Entry } from './zip';

const package_files = ['index.js', 'core.js', 'three.js', 'unpack_gltf.js', 'fascia.js', 'fascia.wasm', 'fascia_threads.js', 'fascia_threads.wasm', 'fascia_threads.worker.js'];
const three_files = ['three.module.js', 'three.core.js', 'addons/loaders/GLTFLoader.js', 'addons/utils/BufferGeometryUtils.js', 'addons/utils/SkeletonUtils.js',
  'addons/controls/OrbitControls.js'];

const readme = `Open index.html from any web server, for example

    npx serve .        or        python3 -m http.server

Several threads are used if the server sends Cross-Origin-Opener-Policy: same-origin and
Cross-Origin-Embedder-Policy: require-corp.
`;

const page = (clip: string, method: string) => `<!doctype html>
<meta charset="utf-8">
<title>Flesh</title>
<style>html, body { margin: 0; height: 100%; background: #efebe6; } canvas { display: block; }</style>
<script type="importmap">{ "imports": { "three": "./three/three.module.js", "three/addons/": "./three/addons/" } }</script>
<script type="module">
  import * as THREE from 'three';
  import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
  import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
  import { attachFlesh } from './fascia/three.js';

  const renderer = new THREE.WebGLRenderer({ antialias: true });
  document.body.append(renderer.domElement);
  const scene = new THREE.Scene(), camera = new THREE.PerspectiveCamera(32, 1, 0.001, 1000);
  scene.background = new THREE.Color(0xefebe6);
  scene.add(new THREE.HemisphereLight(0xffffff, 0xb0a090, 2.6));
  const sun = new THREE.DirectionalLight(0xfff4e8, 2);
  sun.position.set(1, 2, 2);
  scene.add(sun);

  const gltf = await new GLTFLoader().loadAsync('./character.glb');
  scene.add(gltf.scene);
  const mixer = new THREE.AnimationMixer(gltf.scene);
  const clip = gltf.animations.find(({ name }) => name === ${clip}) ?? gltf.animations[0];
  if (clip) mixer.clipAction(clip).play();
  mixer.update(0);
  const flesh = await attachFlesh(gltf, { method: '${method}', flesh: await (await fetch('./flesh.json')).json() });

  const box = new THREE.Box3().setFromObject(flesh.group), size = box.getSize(new THREE.Vector3()).length();
  const controls = new OrbitControls(camera, renderer.domElement);
  box.getCenter(controls.target);
  camera.position.copy(controls.target).add(new THREE.Vector3(0.6, 0.4, 1.6).multiplyScalar(size));

  const fit = () => {
    camera.aspect = innerWidth / innerHeight;
    camera.updateProjectionMatrix();
    renderer.setPixelRatio(devicePixelRatio);
    renderer.setSize(innerWidth, innerHeight);
  };
  addEventListener('resize', fit);
  fit();
  const clock = new THREE.Clock();
  renderer.setAnimationLoop(() => {
    const dt = Math.min(clock.getDelta(), 0.1);
    mixer.update(dt);
    flesh.update(dt);
    controls.update();
    renderer.render(scene, camera);
  });
</script>
`;

async function fetched(folder: string, names: string[]): Promise<Entry[]> {
  return Promise.all(names.map(async (name) => {
    const answer = await fetch(new URL(`${folder}/${name}`, document.baseURI));
    if (!answer.ok) throw new Error(`${folder}/${name} is missing on this server: build the studio again.`);
    return { name: `${folder}/${name}`, bytes: new Uint8Array(await answer.arrayBuffer()) };
  }));
}

export async function three_folder(app: App): Promise<Blob> {
  const text = (name: string, value: string): Entry => ({ name, bytes: new TextEncoder().encode(value) });
  const { info, painting } = app, softness = painting.softness?.values;
  const character_file = async () => (softness ? painted_glb(info!, softness) : app.sim.writeCharacter());
  const [character, own, three] = await Promise.all([character_file(), fetched('fascia', package_files), fetched('three', three_files)]);
  return zip([
    text('index.html', page(JSON.stringify(info!.clips[app.clip]?.name ?? ''), app.method)), text('README.txt', readme), text('flesh.json', JSON.stringify(app.flesh, null, 2)),
    { name: 'character.glb', bytes: character }, ...own, ...three]);
}
