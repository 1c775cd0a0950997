// Time per step of the bundled bunny: WASM in node against the native program limited to 128-bit vectors, in one run.
//     node scripts/bench_wasm.mjs          (after scripts/build_wasm.sh and a release build)
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const { createFascia } = await import(join(root, 'build/fascia-wasm/core.js'));
const scratch = mkdtempSync(join(tmpdir(), 'fascia-bench-'));
const rounds = 4;
const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];

function native(name, clip) {
  const report = join(scratch, 'report.json');
  execFileSync(join(root, 'build/release/bin/fascia'),
    ['bake', name, '--motion', clip, '--fps', '240', '--to', '1', '--threads', '1', '-o', join(scratch, 'x.pc2'), '--report', report, '--quiet'],
    { env: { ...process.env, FASCIA_ISA: 'v2' } });
  return JSON.parse(readFileSync(report, 'utf8')).time.step_us.median;
}

function wasm(flesh, clip, duration) {
  const times = [];
  flesh.pose(clip, 0);
  flesh.reset();
  for (let k = 1; k < duration * 240; k++) {
    flesh.pose(clip, k / 240);
    const started = performance.now();
    flesh.advance(1 / 240);
    times.push((performance.now() - started) * 1000);
  }
  return median(times);
}

const fascia = await createFascia({ threads: 1 });
console.log('| character | points | native, 128 bits | WASM in node | ratio |\n|---|---|---|---|---|');
for (const [name, clip_name] of [['bunny', 'dance'], ['gnome', 'walk'], ['bloat', 'shake']]) {
  const character = fascia.bundled(name);
  const flesh = character.bind();
  const clip = character.clips.findIndex((c) => c.name === clip_name);
  const pairs = [];
  for (let round = 0; round < rounds; round++)
    pairs.push([native(name, clip_name), wasm(flesh, clip, Math.min(1, character.clips[clip].duration))]);
  const a = Math.min(...pairs.map((p) => p[0])), b = Math.min(...pairs.map((p) => p[1]));
  console.log(`| ${name}, ${clip_name} | ${flesh.pointCount} | ${a.toFixed(0)} µs | ${b.toFixed(0)} µs | ${(b / a).toFixed(2)} |`);
  flesh.free();
  character.free();
}
