// What a stranger finds in the first minutes: methods in words, a hand that shows how, files that are still there, pictures of
// any size. Screenshots go to build/studio-shots.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { drawn, has_browser, open_browser, open_page, open_studio } from './studio/browser.mjs';
import { parse_glb } from './studio/files.mjs';
import { data, visitor } from './studio/visitor.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, 'build/studio');
const shots = join(root, 'build/studio-shots');
const skip = !has_browser ? 'no Chromium' : !existsSync(join(folder, 'index.html')) ? 'the studio is not built' : false;
const no_data = skip || (existsSync(join(data, 'characters/CesiumMan.glb')) ? false : 'no shared data');
mkdirSync(shots, { recursive: true });

let browser, site, page, notes, context;
const { studio, tab, pick, drop, opened, skin } = visitor(() => page);
const shot = async (name) => {
  await studio(() => { studio.stage.software_ratio = 1.5; studio.stage.set_quality('full'); studio.draw(); });
  await page.screenshot({ path: join(shots, `${name}.png`) });
  await studio(() => studio.stage.set_quality('low'));
};
const belly = () => studio(() => { const place = studio.hands.belly(); return [place.x, place.y]; });
const swing = () => studio(() => studio.last.measures.largest);
const wait_for = (work, value) => page.waitForFunction(work, value, { polling: 50 });

before(async () => {
  if (skip) return;
  browser = await open_browser();
  site = await open_studio(folder);
  ({ page, notes, context } = await open_page(browser, { greet: true, viewport: { width: 1280, height: 720 } }));
  await page.goto(site.base);
  await opened('bunny');
});
after(async () => {
  await browser?.close();
  site?.server.close();
});

test('a ghost hand pulls the belly once, with a line of text', { skip }, async () => {
  await wait_for(() => studio.pulling && !document.querySelector('.ghost-hand').hidden);
  await page.getByText('press on the skin and drag').waitFor();
  await wait_for(() => Number(document.querySelector('.elastic line').getAttribute('x2')) > 0);
  await shot('greeting');
  await wait_for(() => !studio.pulling && document.querySelector('.ghost-hand').hidden);
  await studio(() => { studio.ticker.drawing = false; });
});

test('pulling: a hand over flesh, an elastic line, the part lit, Escape lets go', { skip }, async () => {
  await studio(() => studio.set_playing(false));
  const at = await belly();
  await page.mouse.move(300, 620);
  await page.waitForTimeout(300);
  await page.mouse.move(at[0] - 2, at[1]);
  await wait_for(() => document.querySelector('.canvas').classList.contains('over-flesh'));
  await page.mouse.move(...at);
  await page.mouse.down();
  await wait_for(() => studio.pulling);
  await page.mouse.move(at[0] + 120, at[1] + 20, { steps: 5 });
  await drawn(page, 3);
  await studio(() => studio.draw());
  const [x2, x1] = await studio(() => ['x2', 'x1'].map((name) => Number(document.querySelector('.elastic line').getAttribute(name))));
  const left = (await page.locator('canvas.canvas').boundingBox()).x;
  assert.ok(Math.abs(x2 - (at[0] + 120 - left)) < 1, 'the line ends at the pointer');
  assert.ok(x1 > at[0] - left + 3 && x1 < x2, `and begins at the flesh: ${x1} of ${at[0] - left} to ${x2}`);
  await shot('elastic');
  await page.keyboard.press('Escape');
  await wait_for(() => !studio.pulling);
  await page.mouse.up();
  await page.mouse.click(...at);
  await wait_for(() => studio.tuning.part !== null && studio.figure.light.root.visible);
  await shot('part_lit');
  await page.keyboard.press('Escape');
  await wait_for(() => studio.tuning.part === null && !studio.figure.light.root.visible);
});

test('a pull of 320 pixels moves a soft belly as far as flesh may go: a tenth of the size', { skip }, async (t) => {
  await studio(async () => {
    studio.tuning.use_preset('soft');
    await studio.choose_clip(studio.info.clips.findIndex((c) => c.name === 'rest'));
    studio.home();
  });
  await drawn(page, 3);
  const at = await belly();
  const vertex = await studio((place) => studio.hit(...place).vertex, at);
  const seen = () => studio((v) => {
    const p = studio.figure.place_of(v).project(studio.stage.camera), box = studio.stage.canvas.getBoundingClientRect();
    return [(p.x + 1) / 2 * box.width, (1 - p.y) / 2 * box.height];
  }, vertex);
  const start = await seen();
  await page.mouse.move(...at);
  await page.mouse.down();
  await wait_for(() => studio.pulling);
  await page.mouse.move(at[0] + 320, at[1], { steps: 6 });
  await drawn(page, 40);
  const end = await seen();
  await shot('pull_far');
  await page.mouse.up();
  const moved = Math.hypot(end[0] - start[0], end[1] - start[1]);
  t.diagnostic(`${moved.toFixed(0)} pixels`);
  const size = await studio(() => {
    const { camera, canvas } = studio.stage, at = studio.figure.place_of(0);
    return canvas.clientHeight / (2 * Math.tan(camera.fov * Math.PI / 360) * camera.position.distanceTo(at));
  });
  assert.ok(moved >= 0.085 * size, `${moved} pixels; the size is ${size}`);
  assert.ok(await studio(() => studio.last_finite));
  await studio(() => studio.tuning.use_preset('default'));
});

test('without flesh while F is held; a poke and a shake move the flesh', { skip }, async () => {
  await studio(async () => { await studio.choose_clip(studio.info.clips.findIndex((c) => c.name === 'rest')); studio.set_playing(false); });
  await wait_for(() => studio.last.measures.largest < 2e-3);
  await page.focus('canvas.canvas');
  await page.keyboard.press('p');
  await wait_for(() => studio.last.measures.largest > 0.01);
  await wait_for(() => studio.last.measures.largest < 4e-3);
  await page.getByRole('button', { name: 'Shake', exact: true }).click();
  await wait_for(() => studio.last.measures.largest > 0.008);
  // Unseen, the flesh swings on; the surface shown is the skinned one.
  await page.focus('canvas.canvas');
  await studio(() => { globalThis.shown = []; studio.events.on('frame', (f) => globalThis.shown.push(f.a.positions.slice(0, 3000))); });
  await page.keyboard.down('f');
  await wait_for(() => studio.flesh_off);
  await drawn(page, 3);
  assert.equal(await page.getByRole('button', { name: 'Without flesh, while held' }).getAttribute('aria-pressed'), 'true');
  await page.keyboard.up('f');
  await wait_for(() => !studio.flesh_off);
  assert.ok(await swing() < 1);
});

test('a ball that is thrown dents the belly and rolls away; wind moves the flesh', { skip }, async (t) => {
  await wait_for(() => studio.last.measures.largest < 3e-3);
  await page.getByRole('button', { name: 'Throw a ball', exact: true }).click();
  await wait_for(() => studio.last.ball !== null);
  await wait_for(() => studio.last.measures.largest > 0.008);
  await shot('ball');
  t.diagnostic(`${await swing()} of the size`);
  await wait_for(() => studio.last.ball === null);
  await page.focus('canvas.canvas');
  await page.keyboard.press('b');
  await wait_for(() => studio.last.ball !== null);
  await tab('flesh');
  await page.getByLabel('Wind', { exact: true }).fill('2');
  await wait_for(() => studio.last.ball === null && studio.last.measures.largest > 2e-3);
  assert.match(await studio(() => studio.link()), /wind=2/);
  await page.getByLabel('Wind', { exact: true }).fill('0');
  await wait_for(() => studio.last.measures.largest < 2e-3);
});

test('methods are named by what they do, and only what has an effect can be set', { skip }, async () => {
  const shown = () => studio(() => [...document.querySelectorAll('#panel-flesh .control :is(label, legend):not(.segment)')]
    .filter((e) => e.offsetParent !== null).map((e) => e.textContent));
  await tab('look');
  const method = page.getByLabel('Method', { exact: true });
  const texts = await method.evaluate((e) => [...e.options].map((o) => o.textContent));
  assert.ok(texts.includes('Bone, muscle, fat and skin') && !texts.some((text) => /^(layers|lbs|lattice)$/.test(text)), texts.join());
  await page.getByText('layers · Iwamoto, Shum, Yang, Morishima 2015').waitFor();
  await shot('methods');
  const presets = () => page.locator('#panel-flesh .segments').first().locator('input').evaluateAll((all) => all.map((e) => e.value));
  await tab('flesh');
  assert.deepEqual(await presets(), ['default', 'soft', 'firm', 'jelly', 'paper-bunny', 'paper-smurf', 'paper-bloat']);
  await studio(() => document.querySelectorAll('#panel-flesh details').forEach((d) => { d.open = true; }));
  const physical = await shown();
  assert.ok(physical.includes('Damping') && physical.includes('Tone') && !physical.includes('K s'), physical.join());
  await pick('paper-bunny');
  await wait_for(() => studio.flesh.mode === 'paper' && !studio.tuning.busy);
  const paper = await shown();
  assert.ok(!paper.includes('Damping') && !paper.some((name) => name.startsWith('Frequency')) && paper.includes('K s'), paper.join());
  // Another method's numbers are refused, and nothing changes.
  await drop(['wrong.flesh.json'], [Buffer.from('{"preset": "paper-lattice"}')]);
  await page.getByText(/'paper-lattice' is not for layers/).waitFor();
  assert.equal(await studio(() => studio.flesh.preset), 'paper-bunny');
  await pick('default');
  await wait_for(() => !studio.tuning.busy);
});

test('a layer slider acts under every method that shows it', { skip }, async () => {
  const dead = await studio(async () => {
    const { sim } = studio, bad = [];
    const run = async (method, flesh) => {
      await sim.bind(method, null, flesh);
      await sim.setClip(studio.info.clips.findIndex((c) => c.name !== 'rest'), 0.3);
      for (let k = 0; k < 4; k++) await sim.frame({ dt: 1 / 30, playing: true, speed: 1, loop: true, paint: 'none', paintJoint: -1, points: false, flesh: true, extremes: false, recycle: [] });
      return (await sim.inspect()).hash;
    };
    studio.ticker.waiting = true; // so that the page asks for no frames
    await studio.open_bundled('bloat');
    studio.ticker.waiting = true;
    for (const [method, preset] of [['layers', 'default'], ['lattice', 'default'], ['lattice', 'paper-lattice'], ['layers', 'paper-bunny']]) {
      const flesh = { ...studio.hello.presets[preset], resolution: 12 };
      const before = await run(method, flesh);
      const paper = flesh.mode === 'paper';
      for (const [key, value] of paper ? [['k_s', 0.9]] : [['frequency', 3], ['damping', 0.7], ['amount', 0.5]]) {
        const tissue = studio.hello.methods.find((m) => m.name === method).abilities.cells || paper ? null : 'fat';
        const layers = flesh.layers.map((l) => (tissue === null || l.name === tissue ? { ...l, [key]: value } : l));
        if ((await run(method, { ...flesh, layers })) === before) bad.push(`${method} ${preset} ${key}`);
      }
    }
    studio.ticker.waiting = false;
    await studio.open_bundled('bunny');
    return bad;
  });
  assert.deepEqual(dead, []);
});

test('arrow keys move one frame; ? shows the keys; Escape closes; the timeline waits for the body', { skip }, async () => {
  const time = () => studio(async () => (await studio.sim.inspect()).time);
  await studio(async () => { await studio.choose_clip(studio.info.clips.findIndex((c) => c.name === 'walk')); studio.set_playing(false); await studio.sim.seek(0.5); });
  await page.focus('canvas.canvas');
  for (const [key, to] of [['ArrowRight', 0.5 + 1 / 60], ['ArrowLeft', 0.5], ['ArrowLeft', 0.5 - 1 / 60]]) {
    await page.keyboard.press(key);
    await drawn(page, 2);
    assert.ok(Math.abs((await time()) - to) < 1e-6, `${key}: ${await time()}`);
  }
  await page.keyboard.press('?');
  await page.getByText('Keys and mouse').first().waitFor();
  assert.ok(await page.locator('dialog').isVisible());
  await shot('help');
  await page.keyboard.press('Escape');
  assert.ok(!await page.locator('dialog').isVisible());
  // A frame that has arrived moves the cursor only when it is drawn.
  await studio(() => studio.draw());
  const cursor = () => studio(() => Number(document.querySelector('.timeline').value));
  const before = await cursor();
  await page.keyboard.press('.');
  await page.keyboard.press('.');
  await drawn(page, 2);
  assert.equal(await cursor(), before);
  await studio(() => studio.draw());
  assert.ok(await cursor() > before);
});

test('the numbers of two methods side by side; extremes of the swing; skin over the inside', { skip }, async () => {
  await studio(async () => { await studio.choose_methods('layers', 'lbs'); studio.set_playing(true); });
  await tab('measure');
  await wait_for(() => /ms/.test(document.querySelectorAll('.both dd')[2].textContent));
  const table = await studio(() => [...document.querySelectorAll('.both > *')].map((e) => e.textContent));
  assert.deepEqual(table.slice(0, 3), ['', 'Bone, muscle, fat and skin', 'Plain skinning']);
  assert.match(table.join(' '), /Volume kept \d+\.\d % \d+\.\d %/);
  await shot('both_numbers');
  await studio(() => studio.choose_methods('layers', null));
  await tab('look');
  await page.getByLabel('Extremes of the swing', { exact: true }).check();
  await wait_for(() => studio.last.extremes && studio.figure.ghosts?.root.visible && studio.last.measures.largest > 0.005);
  await drawn(page, 20);
  await shot('extremes');
  await page.getByLabel('Extremes of the swing', { exact: true }).uncheck();
  await page.getByLabel('Show what is inside', { exact: true }).check();
  await page.getByLabel('Skin over it', { exact: true }).check();
  await wait_for(() => studio.figure.inside?.count > 0);
  await page.getByLabel('Cutting plane', { exact: true }).fill('0.5');
  await drawn(page, 2);
  await shot('glass');
  assert.ok(await studio(() => studio.figure.a.root.visible));
  await page.getByLabel('Skin over it', { exact: true }).uncheck();
  await page.getByLabel('Show what is inside', { exact: true }).uncheck();
  await studio(() => studio.draw());
});

test('a brush paints softness, mirrored, with undo; the character carries it', { skip }, async () => {
  await studio(async () => { await studio.open_bundled('bunny'); studio.set_playing(false); studio.home(); });
  await tab('flesh');
  await page.getByLabel('Paint on the body', { exact: true }).check();
  await wait_for(() => studio.painting.on && studio.painting.softness);
  const at = await skin();
  const sum = () => studio(() => studio.painting.softness.values.reduce((a, b) => a + b, 0));
  const before = await sum();
  await studio(() => { globalThis.rig_before = studio.rig; });
  await page.mouse.move(...at);
  await page.mouse.down();
  await page.mouse.move(at[0] + 30, at[1] + 10, { steps: 4 });
  assert.equal(await studio(() => studio.pulling), false);
  await page.mouse.up();
  await wait_for(() => studio.flesh.mask === 'COLOR_1.r' && globalThis.rig_before !== studio.rig && !studio.tuning.busy);
  const after = await sum();
  assert.ok(after < before - 1, `${before} to ${after}`);
  // Left and right alike.
  const lopsided = await studio(() => {
    const { restPositions: p } = studio.info, { values } = studio.painting.softness;
    let left = 0, right = 0;
    values.forEach((v, i) => { if (p[3 * i] > 0.01) left += 1 - v; else if (p[3 * i] < -0.01) right += 1 - v; });
    return Math.abs(left - right) / (left + right);
  });
  assert.ok(lopsided < 0.2, `${lopsided}`);
  await shot('paint');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save the painted character' }).click()]);
  const glb = readFileSync(await download.path());
  const json = JSON.parse(glb.subarray(20, 20 + glb.readUInt32LE(12)).toString());
  assert.ok('COLOR_1' in json.meshes[0].primitives[0].attributes);
  await page.focus('canvas.canvas');
  await page.keyboard.press('Control+z');
  await wait_for((value) => Math.abs(studio.painting.softness.values.reduce((a, b) => a + b, 0) - value) < 0.1, before);
  await page.getByLabel('Paint on the body', { exact: true }).uncheck();
  // A weight, from the character's size.
  await page.getByLabel('Weight', { exact: true }).fill('1');
  await wait_for(() => studio.flesh.gravity?.[1] < -1 && !studio.tuning.busy);
  await studio(() => studio.tuning.use_preset('default'));
});

test('pictures have the size that was chosen', { skip }, async () => {
  await tab('export');
  await page.getByText(/frames: about [\d.]+ MB as GLB, [\d.]+ MB as PC2/).waitFor();
  await pick('1920 × 1080');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'PNG', exact: true }).click()]);
  const png = readFileSync(await download.path());
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [1920, 1080]);
  assert.ok(await studio(() => studio.stage.canvas.width) < 1000, 'the view is as before');
  await pick('60');
  await page.getByText(/That is a lot/).waitFor().catch(() => {});
});

test('the folder for three.js runs as it is', { skip }, async () => {
  await studio(async () => { await studio.open_bundled('bunny'); await studio.choose_clip(studio.info.clips.findIndex((c) => c.name === 'dance')); });
  await tab('export');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'three.js folder' }).click()]);
  const place = join(shots, 'three_folder');
  rmSync(place, { recursive: true, force: true });
  execFileSync('python3', ['-m', 'zipfile', '-e', await download.path(), place]);
  const own = await open_studio(place, { strict: false });
  const { page: other, notes: said, context: theirs } = await open_page(browser, { viewport: { width: 500, height: 500 } });
  await other.goto(own.base);
  await other.waitForFunction(() => performance.getEntriesByName(`${location.href}flesh.json`).length > 0 && document.querySelector('canvas'));
  await other.waitForTimeout(1500);
  await other.screenshot({ path: join(shots, 'three_folder.png') });
  assert.deepEqual(said.errors.filter((text) => !/404/.test(text)), []);
  await theirs.close();
  own.server.close();
});

test('the theme is kept; bad links open with a sentence and the defaults', { skip }, async () => {
  const theme = () => studio(() => document.documentElement.dataset.theme);
  await page.getByRole('button', { name: 'Light or dark' }).click();
  const chosen = await theme();
  const visit = async (hash) => {
    await page.goto('about:blank');
    await page.goto(`${site.base}#${hash}`);
    await opened('bunny');
    await drawn(page, 2);
    await studio(() => { studio.ticker.drawing = false; });
    return studio(() => ({ preset: studio.flesh.preset, method: studio.rig?.method, layers: studio.flesh.layers.length }));
  };
  const usual = { preset: 'default', method: 'layers', layers: 3 };
  assert.deepEqual(await visit(`flesh=${encodeURIComponent('{"layers":"x"}')}`), usual);
  await page.getByText(/This link.*default flesh is used instead/).waitFor();
  assert.equal(await theme(), chosen);
  assert.deepEqual(await visit(`flesh=${encodeURIComponent('{"resolution":100000}')}`), usual);
  await page.getByText(/resolution.*default flesh is used instead/).waitFor();
  await page.getByRole('button', { name: 'Light or dark' }).click();
});

test('files are still there after a reload, with their flesh; two characters and two motions at once', { skip: no_data }, async () => {
  await drop(['characters/CesiumMan.glb', 'characters/Fox.glb', 'motion/cmu_02_01_walk.bvh', 'motion/cmu_13_17_boxing.bvh']);
  await opened('CesiumMan');
  await wait_for(() => studio.info.clips.length === 3 && studio.recent.list.length === 2);
  await tab('character');
  await page.getByText('2 characters: choose one under Character.').waitFor();
  await studio(() => studio.tuning.set_field('tone', 0.8, true));
  await wait_for(() => studio.recent.list.find((e) => e.name === 'CesiumMan.glb').flesh?.tone === 0.8);
  await shot('recent');
  await page.reload();
  await opened('CesiumMan');
  await wait_for(() => studio.info.clips.length === 3);
  await studio(() => { studio.ticker.drawing = false; });
  assert.equal(await studio(() => studio.flesh.tone), 0.8);
  await page.getByRole('button', { name: 'Fox.glb', exact: true }).click();
  await opened('Fox');
  await page.getByRole('button', { name: 'CesiumMan.glb', exact: true }).click();
  await opened('CesiumMan');
  await wait_for(() => studio.flesh.tone === 0.8 && studio.info.clips.length === 3);
});

test('a motion that matches too little: joints are paired by hand, once', { skip: no_data }, async () => {
  const drop_both = () => drop(['characters/quaternius_Manta_ray.glb', 'motion/cmu_02_01_walk.bvh']);
  await drop_both();
  const dialog = page.getByRole('dialog', { name: 'Match joints' });
  await dialog.getByText(/Too few joints of cmu_02_01_walk\.bvh are like those/).waitFor();
  const joints = await studio(() => studio.info.joints.map((j) => j.name));
  await dialog.getByLabel('Hips moves', { exact: true }).selectOption(joints[1]);
  await dialog.getByLabel('Spine1 moves', { exact: true }).selectOption(joints[2]);
  await dialog.getByText(/^\d+ of 31 joints of the motion move a joint/).waitFor();
  await page.screenshot({ path: join(shots, 'match.png') });
  await dialog.getByRole('button', { name: 'Use these pairs' }).click();
  await wait_for(() => studio.info.clips[studio.clip]?.name === 'cmu_02_01_walk' && studio.playing);
  // Another motion of the same skeleton needs no hand; the list of motions opens the pairs again.
  const clips = await studio(() => studio.info.clips.length);
  await drop(['motion/cmu_09_01_run.bvh']);
  await wait_for((n) => studio.info.clips.length === n + 1, clips);
  assert.equal(await page.locator('dialog[open]').count(), 0);
  await tab('character');
  await page.getByRole('button', { name: 'Match the joints of cmu_02_01_walk.bvh' }).click();
  assert.equal(await dialog.getByLabel('Hips moves', { exact: true }).inputValue(), joints[1]);
  await dialog.getByLabel('Spine1 moves', { exact: true }).selectOption('');
  await dialog.getByRole('button', { name: 'Use these pairs' }).click();
  await wait_for(() => studio.info.clips[studio.clip]?.name === 'cmu_02_01_walk' && studio.playing);
  assert.equal(await studio(() => studio.info.clips.length), clips + 1, 'the pairs are changed in place');
  // Escape leaves everything as it was.
  await page.getByRole('button', { name: 'Match the joints of cmu_02_01_walk.bvh' }).click();
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

test('the character is exported with its bones and the motions it was given', { skip: no_data }, async () => {
  await tab('export');
  await pick('the bones');
  await page.getByText(/the skeleton with its \d+ motions/).waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'GLB', exact: true }).click()]);
  assert.equal(download.suggestedFilename(), 'quaternius_Manta_ray_rigged.glb');
  const file = join(shots, 'rigged.glb');
  await download.saveAs(file);
  const json = parse_glb(readFileSync(file));
  const names = json.animations.map((clip) => clip.name);
  assert.ok(json.skins.length === 1 && names.includes('cmu_02_01_walk') && names.includes('cmu_09_01_run'), names.join());
  execFileSync(process.execPath, [fileURLToPath(new URL('./validate.mjs', import.meta.url)), file]);
  await pick('every vertex');
});

test('an export finishes under its own name while another character is opened', { skip: no_data }, async () => {
  await studio(() => studio.open_bundled('bunny'));
  await opened('bunny');
  await tab('export');
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: 'PC2', exact: true }).click();
  await wait_for(() => document.querySelector('.job progress').value > 0);
  await studio(() => studio.open_bundled('tube'));
  const download = await waiting;
  assert.match(download.suggestedFilename(), /^bunny_/);
  const bytes = readFileSync(await download.path());
  assert.ok(bytes.length > 1e6);
  await opened('tube');
});

test('thirty characters one after the other leave nothing behind', { skip: no_data }, async (t) => {
  const memory = () => studio(() => ({ ...studio.stage.renderer.info.memory }));
  const open_both = async () => {
    await studio(() => studio.open_recent('CesiumMan.glb'));
    await studio(() => studio.open_bundled('tube'));
    await studio(() => studio.draw());
  };
  await open_both();
  const before = await memory();
  for (let k = 0; k < 14; k++) await open_both();
  const now = await memory();
  t.diagnostic(JSON.stringify([before, now]));
  assert.deepEqual(now, before);
});

test('the page does not scroll as a whole, on any tab', { skip }, async () => {
  for (const [width, height] of [[1280, 720], [360, 740]]) {
    await page.setViewportSize({ width, height });
    for (const name of ['flesh', 'look', 'measure', 'export', 'character']) {
      await tab(name);
      await studio(() => { document.querySelector('.panel-scroll').lastElementChild?.scrollIntoView(); document.getElementById('body-part').scrollIntoView(); });
      await page.mouse.move(width / 2, 30);
      await page.mouse.wheel(0, 400);
      assert.deepEqual(await studio(() => [scrollY, document.documentElement.scrollTop, document.body.scrollTop, document.querySelector('.app').getBoundingClientRect().top]), [0, 0, 0, 0], `${name} at ${width}`);
    }
  }
  await page.setViewportSize({ width: 1280, height: 720 });
});

test('axe finds nothing, on any tab, in both sizes and themes', { skip }, async () => {
  await studio(readFileSync(fileURLToPath(new URL('./node_modules/axe-core/axe.min.js', import.meta.url)), 'utf8'));
  const found = [];
  for (const [width, height] of [[1280, 720], [360, 740]]) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ['light', 'dark']) {
      await studio(() => { delete document.documentElement.dataset.theme; });
      await page.emulateMedia({ colorScheme });
      for (const name of ['character', 'pose', 'look', 'flesh', 'measure', 'export']) {
        await tab(name);
        const faults = await studio(async () => (await axe.run()).violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target).join(' ')}`));
        found.push(...faults.map((fault) => `${width} ${colorScheme} ${name} ${fault}`));
        await page.screenshot({ path: join(shots, `axe_${width}_${colorScheme}_${name}.png`) });
      }
    }
  }
  assert.deepEqual(found, []);
});

test('nothing went wrong meanwhile', { skip }, async () => {
  assert.deepEqual(notes.errors, []);
  await context.close();
});
