// Splits the linked WASM modules in two: what a visitor of the studio needs to see a character move, and the rest, which is
// loaded when it is first called. What is needed is found by a visit: the instrumented module that emscripten writes
// beside the linked one (NAME.wasm, NAME.wasm.orig) notes which functions run.
//     node scripts/split_wasm.mjs FOLDER-OF-LINKED-MODULES OUTPUT-FOLDER
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createFascia } from '../bindings/wasm/core.js';

const [linked, out] = process.argv.slice(2).map((folder) => resolve(folder));
const features = ['threads', 'bulk-memory', 'exception-handling', 'simd', 'mutable-globals', 'sign-ext'].map((name) => `--enable-${name}`);
/** Functions that may be deferred: our own and those of the libraries that read and write files, but none that starts threads. */
const ours = /6fascia|8nlohmann|8tinygltf|3fmt|5Eigen/, never = /ThreadPool|Workspace|pthread/;

// ---- the visit -------------------------------------------------------------------------------------------------------
/** What happens to nearly every character that is opened in the studio. */
function visit(fascia) {
  const made = fascia.bundled('bunny');
  const character = fascia.load(made.toGlb(), 'bunny.glb');
  for (const motion of fascia.bundledMotionNames) character.addBundledMotion(motion);
  fascia.onBind = () => true;
  const presets = Object.fromEntries(fascia.presetNames.map((name) => [name, fascia.preset(name)]));
  for (const preset of ['default', 'soft']) play(character, character.bind({ method: 'layers', flesh: presets[preset] }));
  for (const method of ['lbs', 'dqs']) character.bind({ method });
  fascia.readFlesh('{"preset": "soft", "parts": [{"joint": "*", "amount": 0.5}]}', 'a link', character);
  fascia.fleshAt('layers', presets.default, character.joints[0].name);
  for (const [wrong, name] of [['no file', 'broken.glb'], ['{"asset": {"version": "2.0"}}', 'empty.gltf']]) try_to(() => fascia.load(new TextEncoder().encode(wrong), name));
  character.free();
}

function play(character, instance) {
  for (const clip of ['bind', null, ...character.clips.keys()]) {
    instance.pose(clip, 0);
    instance.reset();
    for (let k = 1; k < 3; k++) {
      instance.pose(clip, k / 20);
      instance.advance(1 / 60);
      instance.embed();
      instance.embedSkinned();
    }
  }
  const { points, pointLayers, strain, joints, nodes } = instance;
  const { restPositions, triangleIndices, weights, weightJoints } = character;
  instance.measures();
  instance.times();
  instance.hash();
  instance.solved();
  instance.pull([points[0], points[1], points[2]], 4);
  instance.pullTo([pointLayers.length, strain.length, joints.length + nodes.length + restPositions.length + triangleIndices.length + weights.length + weightJoints.length]);
  instance.advance(1 / 60);
  instance.release();
  instance.retune({ preset: 'default', step: 1 / 120 });
  instance.twin().free();
}

function try_to(work) {
  try {
    work();
  } catch {
    // A sentence is what was wanted.
  }
}

// ---- names -----------------------------------------------------------------------------------------------------------
/** Names of the functions that a module defines, in their order. */
function function_names(bytes) {
  let at = 8;
  const number = () => {
    let value = 0, shift = 0, byte;
    do {
      byte = bytes[at++];
      value += (byte & 127) * 2 ** shift;
      shift += 7;
    } while (byte & 128);
    return value;
  };
  const text = () => {
    const length = number();
    at += length;
    return bytes.toString('utf8', at - length, at);
  };
  const limits = () => {
    const flags = number();
    number();
    if (flags & 1) number();
  };
  let imported = 0;
  const names = new Map();
  while (at < bytes.length) {
    const section = bytes[at++], size = number(), end = at + size;
    if (section === 2) {
      for (let left = number(); left > 0; left--) {
        text(), text();
        const kind = bytes[at++];
        if (kind === 0) imported++, number();
        else if (kind === 1) at++, limits();
        else if (kind === 2) limits();
        else if (kind === 3) at += 2;
        else at++, number();
      }
    } else if (section === 0 && text() === 'name') {
      while (at < end) {
        const part = bytes[at++], part_end = number() + at;
        if (part === 1) for (let left = number(); left > 0; left--) names.set(number(), text());
        at = part_end;
      }
    }
    at = end;
  }
  return [...names].filter(([index]) => index >= imported).map(([index, name]) => [index - imported, name]);
}

/** Names of the functions that ran. */
async function visited() {
  const fascia = await createFascia({ threads: 1, base: pathToFileURL(`${linked}/`).href });
  visit(fascia);
  const { module } = fascia.calls;
  const size = module.asm.__write_profile(0, 0), place = module._malloc(size);
  module.asm.__write_profile(place, size);
  const ran = new DataView(module.HEAPU8.slice(place, place + size).buffer, 8); // behind the module's hash: when each first ran
  return new Set(function_names(readFileSync(join(linked, 'fascia.wasm.orig'))).filter(([index]) => ran.getUint32(4 * index, true) !== 0).map(([, name]) => name));
}

const needed = await visited();
for (const name of ['fascia', 'fascia_threads']) {
  const whole = join(linked, `${name}.wasm.orig`), list = join(out, `${name}.txt`);
  const rest = function_names(readFileSync(whole)).map(([, own]) => own).filter((own) => ours.test(own) && !never.test(own) && !needed.has(own));
  writeFileSync(list, rest.join('\n'));
  execFileSync('wasm-split', [...features, whole, `--split-funcs=@${list}`, '--export-prefix=%', '-o1', join(out, `${name}.lean.wasm`), '-o2', join(out, `${name}.deferred.wasm`)], { stdio: ['ignore', 'ignore', 'ignore'] });
  rmSync(list);
}
