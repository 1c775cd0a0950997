// The WASM package in node: the same bits as the native program, files of every kind, errors that are sentences.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { MeshoptDecoder } from 'three/examples/jsm/libs/meshopt_decoder.module.js';
import { parse_pc2 } from './studio/files.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const data = process.env.FASCIA_DATA ?? join(root, '../shared/data');
const program = process.env.FASCIA_PROGRAM ?? join(root, 'build/release/bin/fascia');
const scratch = join(root, 'build/wasm-tests');
mkdirSync(scratch, { recursive: true });

const { ready, unpackGltf } = await import(join(root, 'build/fascia-wasm/index.js'));
const fascia = await ready;

async function draco() {
  const folder = fileURLToPath(new URL('./node_modules/three/examples/jsm/libs/draco/gltf/', import.meta.url));
  const create = new Function(`${readFileSync(join(folder, 'draco_wasm_wrapper.js'), 'utf8')}; return DracoDecoderModule;`)();
  return create({ wasmBinary: readFileSync(join(folder, 'draco_decoder.wasm')) });
}
const decoders = { draco, meshopt: async () => MeshoptDecoder };

const shared = (name) => {
  const path = join(data, name);
  return existsSync(path) ? readFileSync(path) : null;
};

function native(...words) {
  const report = join(scratch, 'report.json');
  execFileSync(program, ['bake', ...words, '--report', report, '--quiet']);
  return JSON.parse(readFileSync(report, 'utf8'));
}

function play(instance, clip, frames) {
  instance.pose(clip, 0);
  instance.resetSettled(); // as a bake begins
  for (let k = 1; k < frames; k++) {
    instance.pose(clip, k / 60);
    instance.advance(1 / 60);
  }
}

test('300 frames of the bunny give the native hash', () => {
  const bunny = fascia.bundled('bunny');
  const flesh = bunny.bind();
  const clip = bunny.clips.findIndex((c) => c.name === 'shake');
  play(flesh, clip, 300);
  const report = native('bunny', '--motion', 'shake', '--to', '4.98334', '-o', join(scratch, 'bunny.pc2'));
  assert.equal(report.motion.frames, 300);
  assert.equal(flesh.hash(), report.hash);
  // The embedded surface is what the program wrote.
  flesh.embed();
  const { frames } = parse_pc2(readFileSync(join(scratch, 'bunny.pc2')));
  assert.deepEqual(flesh.positions, frames.at(-1).subarray(0, bunny.vertices * 3));
  const measured = (flesh.embedSkinned(), flesh.measures());
  assert.ok(Math.abs(measured.volume - report.quality.volume_ratio.last) < 1e-6);
  assert.ok(Math.abs(measured.secondary - report.quality.secondary_rms.last) < 1e-6);
  flesh.free();
  bunny.free();
});

test('a character that went through a GLB has the same bones as natively', () => {
  const report = native('bunny', '--motion', 'rest', '--to', '0.05', '-o', join(scratch, 'still.pc2'));
  const made = fascia.bundled('bunny');
  const bunny = fascia.load(made.toGlb(), 'bunny.glb');
  const flesh = bunny.bind();
  const by_name = Object.fromEntries(flesh.layerCounts.map(({ name, points }) => [name, points]));
  assert.deepEqual({ total: flesh.pointCount, ...by_name }, report.points);
  for (const one of [flesh, bunny, made]) one.free();
});

test('flesh swings, and by as much as it is told to', () => {
  const bunny = fascia.bundled('bunny');
  const clip = bunny.clips.findIndex((c) => c.name === 'jump');
  const [still, plain] = [0, 1].map((amount) => {
    const flesh = fascia.preset('default');
    flesh.layers = flesh.layers.map((layer) => ({ ...layer, amount }));
    const instance = bunny.bind({ flesh });
    play(instance, clip, 60);
    instance.embed();
    instance.embedSkinned();
    const { secondary } = instance.measures();
    assert.ok(amount === 0 ? secondary < 1e-4 : secondary > 1e-3, `${secondary} with amount ${amount}`);
    assert.equal(instance.pointLayers.length, instance.pointCount);
    assert.ok(instance.points.every(Number.isFinite));
    const positions = instance.positions.slice();
    instance.free();
    return positions;
  });
  assert.ok(still.some((value, i) => Math.abs(value - plain[i]) > 0.01 * bunny.size));
  bunny.free();
});

test('retunes without a bind, and says where one is needed', () => {
  const tube = fascia.bundled('tube');
  const flesh = fascia.preset('default');
  const instance = tube.bind({ flesh });
  assert.equal(instance.retune({ ...flesh, layers: flesh.layers.map((l) => ({ ...l, frequency: 2 })) }), true);
  assert.equal(instance.retune({ ...flesh, resolution: 20 }), false);
  instance.free();
  tube.free();
});

test('a lattice tells its parts, cells and volumes', () => {
  const tube = fascia.bundled('tube');
  const flesh = fascia.preset('default');
  const bend = tube.clips.findIndex((c) => c.name === 'bend');
  const change = [false, true].map((preserve_volume) => {
    const instance = tube.bind({ method: 'lattice', flesh: { ...flesh, preserve_volume } });
    assert.equal(instance.hasParts, true);
    for (const list of [instance.pointBones, instance.pointJoints]) {
      assert.equal(list.length, instance.pointCount);
      assert.deepEqual([...new Set(list)].sort(), [0, 1]);
    }
    assert.equal(instance.cellCorners.length, 8 * instance.cells);
    assert.deepEqual(instance.layerCounts.map((l) => l.name), ['bone', 'flesh']);
    assert.equal(instance.layerCounts[0].points + instance.layerCounts[1].points, instance.pointCount);
    assert.ok(instance.cells > 100 && instance.cellCorners.every((p) => p < instance.pointCount));
    let most = 0;
    for (let k = 0; k < 150; k++) {
      instance.pose(bend, k / 60);
      instance.advance(1 / 60);
      const volumes = instance.jointVolumes();
      assert.deepEqual(volumes.map((v) => v.joint).sort(), [0, 1]);
      for (const { ratio } of volumes) most = Math.max(most, Math.abs(ratio - 1));
    }
    // Delta can change while it runs.
    assert.equal(instance.retune({ ...flesh, preserve_volume, delta: 0 }), true);
    instance.embed();
    instance.embedSkinned();
    assert.ok(instance.measures().largest < 1e-6);
    instance.free();
    return most;
  });
  assert.ok(change[0] > 0.05 && change[1] < 0.002, `${change}`);
  const layers = tube.bind({ flesh });
  assert.deepEqual([layers.hasParts, layers.cells, layers.pointJoints.length, layers.jointVolumes()], [false, 0, 0, []]);
  layers.free();
  assert.equal(fascia.fleshAt('lattice', { ...flesh, delta: 0.3 }, 'first').delta, 0.3);
  tube.free();
});

test('methods, abilities, stages and fields are those of the native program, and only those are offered', () => {
  const facts = JSON.parse(execFileSync(program, ['info', 'tube', '--json'], { maxBuffer: 1 << 26 }));
  assert.deepEqual(fascia.methods.map((m) => m.name), facts.methods.map((m) => m.name));
  fascia.methods.forEach((method, i) => {
    const expected = facts.methods[i];
    assert.deepEqual([method.from, method.summary, method.stages], [expected.from, expected.summary, expected.stages]);
    for (const [ability, has] of Object.entries(method.abilities)) assert.deepEqual(has, expected.abilities[ability], `${method.name}, ${ability}`);
    const full_key = ({ scope, key }) => (scope === 'whole' ? key : `${scope}s.NAME.${key}`);
    assert.deepEqual(
      method.fields.map((f) => [f.scope, full_key(f), f.kind, f.live, f.unit, f.meaning, f.usual, f.auto, f.kind === 'choice' ? f.choices : []]),
      expected.settings.map((f) => [f.scope, f.key, f.kind, f.live, f.unit, f.meaning, f.default ?? null, f.auto ?? false, f.choices ?? []]));
    const ranges = (list, range) => list.filter((f) => ['whole', 'number', 'vector'].includes(f.kind)).map(range);
    assert.deepEqual(ranges(method.fields, (f) => [f.min, f.max]), ranges(expected.settings, (f) => f.range));
  });
  // Everything listed works, anything not listed does not.
  const tube = fascia.bundled('tube');
  for (const { name, abilities } of fascia.methods) {
    const instance = tube.bind({ method: name });
    assert.equal(instance.method, name);
    assert.deepEqual([instance.layerCounts.length > 0, instance.cells > 0, instance.hasParts], [abilities.layers, abilities.cells, abilities.parts]);
    instance.free();
  }
  assert.throws(() => tube.bind({ method: 'not-built' }), /not-built/);
  assert.throws(() => fascia.fleshAt('not-built', {}, 'first'), /not-built/);
  tube.free();
});

test('settings by key: read as what they are, changed while it runs', () => {
  const tube = fascia.bundled('tube');
  const clip = tube.clips.findIndex((c) => c.name === 'bend');
  const flesh = fascia.preset('default');
  const instance = tube.bind({ method: 'lattice', flesh });
  // Every field has a value of its kind.
  const kinds = { boolean: 'boolean', whole: 'number', number: 'number', choice: 'string', text: 'string', vector: 'object' };
  const { fields } = fascia.methods.find((m) => m.name === 'lattice');
  for (const field of fields.filter((f) => f.scope === 'whole' || f.scope === 'layer')) {
    const key = field.scope === 'layer' ? `layers.fat.${field.key}` : field.key;
    const left_to_the_body = field.auto && instance.get(key) === 'auto';
    assert.equal(typeof instance.get(key), left_to_the_body ? 'string' : kinds[field.kind], key);
  }
  assert.deepEqual([instance.get('delta'), instance.get('preserve_volume'), instance.get('mode')], [0.8, true, 'physical']);
  assert.deepEqual(instance.get('gravity'), [0, 0, 0]);
  assert.equal(instance.get('layers.fat.frequency'), flesh.layers.find((l) => l.name === 'fat').frequency);
  assert.equal(instance.get('parts.second.amount'), null);

  instance.set('delta', 0.25);
  instance.set('unbiased', true);
  instance.set('layers.fat.frequency', 2.5);
  instance.set('parts.second.amount', 0.5);
  instance.set('gravity', [0, -2, 0.5]);
  assert.deepEqual([instance.get('delta'), instance.get('unbiased'), instance.get('layers.fat.frequency'), instance.get('parts.second.amount')], [0.25, true, 2.5, 0.5]);
  assert.deepEqual(instance.get('gravity'), [0, -2, 0.5]);
  instance.set('unbiased', 0); // as in older files
  assert.equal(instance.get('unbiased'), false);

  // The same bits as a bind with these settings.
  const same = { ...flesh, delta: 0.25, gravity: [0, -2, 0.5], parts: [...flesh.parts, { joint: 'second', amount: 0.5 }],
    layers: flesh.layers.map((l) => (l.name === 'fat' ? { ...l, frequency: 2.5 } : l)) };
  const bound = tube.bind({ method: 'lattice', flesh: same }), plain = tube.bind({ method: 'lattice', flesh });
  const hashes = [instance, bound, plain].map((each) => (play(each, clip, 40), each.hash()));
  assert.equal(hashes[0], hashes[1]);
  assert.notEqual(hashes[0], hashes[2]);

  // A setting that is fixed at bind, out of range or unknown is refused with a sentence, and nothing changes.
  assert.throws(() => instance.set('resolution', 20), /resolution is built in: bind again/);
  assert.throws(() => instance.set('delta', 3), /delta must be a number from 0 to 1/);
  assert.throws(() => instance.set('muscle', 0.5), /there is no setting 'muscle'/);
  assert.throws(() => instance.get('detla'), /did you mean 'delta'/);
  assert.deepEqual([instance.get('resolution'), instance.get('delta')], ['auto', 0.25]);
  for (const one of [instance, bound, plain, tube]) one.free();
});

test('booleans are booleans; 0 and 1 are still read', () => {
  assert.equal(fascia.preset('default').preserve_volume, true);
  for (const [given, read] of [[0, false], [1, true], [false, false], [true, true]])
    assert.equal(fascia.readFlesh(JSON.stringify({ preserve_volume: given })).preserve_volume, read);
  assert.throws(() => fascia.readFlesh('{"preserve_volume": 2}'), /preserve_volume/);
});

test('stages are timed by name', () => {
  const tube = fascia.bundled('tube');
  for (const method of fascia.methods) {
    const instance = tube.bind({ method: method.name });
    play(instance, 0, 10);
    instance.embed();
    const { stages, steps } = instance.times();
    assert.deepEqual(stages.map((s) => s.name).sort(), [...method.stages].sort(), method.name);
    assert.ok(stages.every((s) => s.seconds >= 0) && stages.some((s) => s.seconds > 0));
    assert.equal(steps > 0, method.abilities.simulates);
    // The next call counts from here.
    assert.equal(instance.times().stages.reduce((sum, s) => sum + s.seconds, 0), 0);
    instance.free();
  }
  tube.free();
});

test('a pulled belly follows and springs back', () => {
  const bunny = fascia.bundled('bunny');
  const flesh = bunny.bind();
  flesh.pose('bind');
  flesh.reset();
  for (let k = 0; k < 240; k++) flesh.advance(1 / 60);
  flesh.embed();
  const rest = flesh.positions.slice();
  // The foremost vertex of the middle.
  let at = 0;
  for (let v = 0; v < bunny.vertices; v++)
    if (Math.abs(rest[3 * v]) < 0.1 && rest[3 * v + 1] < 0.8 && rest[3 * v + 2] > rest[3 * at + 2]) at = v;
  const point = [...rest.subarray(3 * at, 3 * at + 3)];
  const moved = () => (flesh.embed(), flesh.positions[3 * at + 2] - rest[3 * at + 2]);
  assert.equal(flesh.pull(point), true);
  flesh.pullTo([point[0], point[1], point[2] + 0.1]);
  for (let k = 0; k < 60; k++) flesh.advance(1 / 60);
  const out = moved();
  assert.ok(out > 0.02 && out < 0.11, `moved by ${out}`);
  flesh.release();
  for (let k = 0; k < 240; k++) flesh.advance(1 / 60);
  assert.ok(Math.abs(moved()) < 0.05 * out);
  flesh.free();
  bunny.free();
});

test('a bake in memory is a file that the package reads again', () => {
  const tube = fascia.bundled('tube');
  const instance = tube.bind();
  for (const extension of ['glb', 'pc2']) {
    const bake = instance.bake(extension, 30, 4);
    instance.pose(0, 0);
    instance.reset();
    for (let k = 0; k < 4; k++) {
      instance.pose(0, k / 30);
      if (k > 0) instance.advance(1 / 30);
      bake.frame();
    }
    instance.embed();
    const last = instance.positions.slice();
    const bytes = bake.finish();
    bake.free();
    if (extension === 'pc2') assert.deepEqual(parse_pc2(bytes).frames[3].subarray(0, last.length), last);
    else assert.equal(new TextDecoder().decode(bytes.subarray(0, 4)), 'glTF');
  }
  assert.throws(() => instance.bake('avi', 30, 4), /format/);
  instance.free();
  tube.free();
});

for (const file of ['CesiumMan.glb', 'CoolBunny.vrm', 'quaternius_FinnTheFrog_draco.glb', 'valid_Black_F_2_Casual_meshopt.glb', 'Yeti.gltf']) {
  test(`${file} loads as it does natively`, async (t) => {
    const bytes = shared(`characters/${file}`);
    if (!bytes) return t.skip(`no ${file}`);
    const files = new Map([['Yeti.bin', shared('characters/Yeti.bin')]]);
    const plain = await unpackGltf(new Uint8Array(bytes), { name: file, files, ...decoders });
    const character = fascia.load(plain, file);
    const facts = JSON.parse(execFileSync(program, ['info', join(data, 'characters', file), '--json'], { maxBuffer: 1 << 26 }));
    assert.equal(character.vertices, facts.character?.vertices ?? facts.vertices);
    assert.equal(character.joints.length, facts.character?.joints?.length ?? facts.character?.joints ?? facts.joints?.length ?? facts.joints);
    // Every vertex is where the native reader puts it, in the bind pose with plain skinning.
    const instance = character.bind({ method: 'lbs' });
    const clip = character.clips.length > 0 ? 0 : null;
    if (clip !== null) {
      const out = join(scratch, 'native.pc2');
      native(join(data, 'characters', file), '--method', 'lbs', '--motion', '0', '--to', '0', '-o', out);
      instance.pose(0, 0);
      instance.reset();
      instance.embed();
      const expected = parse_pc2(readFileSync(out)).frames[0];
      const worst = instance.positions.reduce((most, value, i) => Math.max(most, Math.abs(value - expected[i])), 0);
      assert.ok(worst <= 1e-5 * character.size, `off by ${worst}`);
    }
    instance.free();
    character.free();
  });
}

test('a BVH becomes a clip', (t) => {
  const text = shared('motion/cmu_02_01_walk.bvh');
  if (!text) return t.skip('no shared data');
  const bunny = fascia.bundled('bunny');
  const before = bunny.clips.length;
  const index = bunny.addMotion(text.toString(), 'walk');
  assert.equal(index, before);
  assert.ok(bunny.clips[index].duration > 1);
  bunny.free();
});

test('a character borrows a bundled motion', () => {
  const gnome = fascia.bundled('gnome'), tube = fascia.bundled('tube');
  const walk = gnome.addBundledMotion('walk');
  assert.equal(walk, gnome.clips.length - 1);
  assert.ok(Math.abs(gnome.clips[walk].duration - 2.2) < 1e-3);
  assert.throws(() => tube.addBundledMotion('walk'), /too few joints/);
  assert.throws(() => tube.addBundledMotion('swya'), /sway/);
  const sway = tube.bind({ method: 'lbs' }), index = tube.addBundledMotion('sway');
  const end_at = (time) => {
    sway.pose(index, time);
    sway.reset();
    sway.embed();
    return sway.positions.slice();
  };
  const still = end_at(0), bent = end_at(0.5);
  assert.ok(still.some((value, i) => Math.abs(value - bent[i]) > 0.05 * tube.size));
  for (const thing of [sway, tube, gnome]) thing.free();
});

/** A closed box along x, of squares with sides of 0.25, as OBJ. */
function long_box(length = 4) {
  const n = [4 * length, 4, 4], vertices = [], faces = [], at = new Map();
  const vertex = (p) => {
    const key = p.join(' ');
    if (!at.has(key)) at.set(key, vertices.push(`v ${p.map((v) => v / 4).join(' ')}`));
    return at.get(key);
  };
  for (let axis = 0; axis < 3; axis++)
    for (const side of [0, n[axis]])
      for (let u = 0; u < n[(axis + 1) % 3]; u++)
        for (let v = 0; v < n[(axis + 2) % 3]; v++) {
          const corner = (du, dv) => {
            const p = [0, 0, 0];
            p[axis] = side, p[(axis + 1) % 3] = u + du, p[(axis + 2) % 3] = v + dv;
            return vertex(p);
          };
          const around = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
          faces.push(`f ${(side > 0 ? around : around.reverse()).join(' ')}`);
        }
  return new TextEncoder().encode([...vertices, ...faces].join('\n'));
}

test('a mesh with handles: dragged, freed, turned, and made into a clip', () => {
  const points = [0.25, 2, 3.75].map((x, k) => ({ name: `h${k}`, parent: k - 1, at: [x, 0.5, 0.5] }));
  const box = fascia.fromMesh(long_box(), 'box.obj', { points });
  assert.deepEqual(box.joints.map(({ name, parent }) => [name, parent]), [['h0', -1], ['h1', 0], ['h2', 1]]);
  const body = box.bind({ method: 'handles', flesh: { influence: 'file' } });
  const show = () => {
    body.advance(1 / 60);
    body.embed();
    return body.positions.slice();
  };
  body.pose('bind');
  const rest = show(), z_of = (joint) => body.handlePose[12 * joint + 11];
  assert.ok(rest.every((value, i) => Math.abs(value - box.restPositions[i]) < 1e-5));
  body.joints[12 * 2 + 11] += 1; // the end goes towards +z
  const dragged = show();
  assert.ok(Math.abs(z_of(2) - 1.5) < 1e-9 && Math.abs(z_of(1) - 0.5) < 1e-9);
  assert.ok(dragged.some((value, i) => i % 3 === 2 && value - rest[i] > 0.8));
  body.enableHandles('h1', false);
  show();
  assert.ok(Math.abs(z_of(1) - 1) < 1e-9, 'a free handle goes half as far as the end does');
  body.enableHandles('*', true);
  assert.deepEqual(show(), dragged);
  body.turnHandles('h2', [Math.SQRT1_2, Math.SQRT1_2, 0, 0]);
  assert.ok(show().some((value, i) => Math.abs(value - dragged[i]) > 0.1));

  // What handles do, as a clip that any method plays.
  const matrices = new Float64Array(2 * 36);
  body.pose('bind');
  body.turnHandles('*', [1, 0, 0, 0]);
  show();
  matrices.set(body.handlePose, 0);
  body.joints[12 * 2 + 11] += 1;
  show();
  matrices.set(body.handlePose, 36);
  const clip = box.setClip(-1, 'wave', [0, 1], matrices);
  assert.deepEqual(box.clips, [{ name: 'wave', duration: 1 }]);
  const plain = box.bind({ method: 'lbs' });
  plain.pose(clip, 1);
  assert.ok(plain.joints.every((value, i) => Math.abs(value - matrices[36 + i]) < 1e-5));
  const again = box.withHandles({ count: 2 });
  assert.equal(again.joints.length, 2);
  assert.throws(() => box.setClip(0, 'short', [0], matrices), /setClip\(\) takes 36 numbers/);
  assert.throws(() => body.enableHandles('nobody', true), /did you mean/);
  assert.throws(() => fascia.fromMesh(new TextEncoder().encode('v 0 0 0\n'), 'empty.obj'), /empty\.obj/);
  for (const thing of [again, box]) thing.free();
});

test('handles are found where the native program finds them', { skip: shared('static/spot.obj') ? false : 'no shared data' }, () => {
  const file = join(scratch, 'spot.tgf');
  execFileSync(program, ['handles', join(data, 'static/spot.obj'), '-o', file, '--quiet']);
  const expected = readFileSync(file, 'utf8').split('#')[0].trim().split('\n').map((line) => line.split(' ').slice(1, 4).map(Number));
  const spot = fascia.fromMesh(shared('static/spot.obj'), 'spot.obj', { resolution: 16 });
  assert.equal(spot.joints.length, expected.length);
  for (const [k, { rest }] of spot.joints.entries()) assert.ok(rest.every((value, c) => Math.abs(value - expected[k][c]) < 1e-8));
  spot.free();
});

test('bad input gives sentences', async () => {
  const junk = new TextEncoder().encode('this is no character');
  await assert.rejects(unpackGltf(junk, { name: 'junk.glb' }), /junk\.glb is not a glTF file/);
  await assert.rejects(unpackGltf(new TextEncoder().encode('{"asset":{"version":"2.0"},"buffers":[{"uri":"x.bin","byteLength":4}]}'), { name: 'a.gltf' }), /needs the file x\.bin/);
  assert.throws(() => fascia.load(junk, 'junk.glb'), /junk\.glb/);
  assert.throws(() => fascia.bundled('bunnny'), /bunny/);
  assert.throws(() => fascia.readFlesh('{"resolutoin": 3}'), /resolution/);
  const tube = fascia.bundled('tube');
  assert.throws(() => tube.bind({ method: 'layer' }), /layers/);
  assert.throws(() => tube.addMotion('HIERARCHY nonsense', 'x.bvh'), /x\.bvh/);
  const glb = tube.toGlb();
  for (const size of [4, 40, 1000]) assert.throws(() => fascia.load(glb.slice(0, size), 'cut.glb'), Error);
  tube.free();
});
