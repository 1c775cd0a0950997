// Draws the figures of `bench_layers --json` for docs/performance.md:
//     build/release/bench/bench_layers --json > bench.json && node scripts/plot_performance.mjs bench.json docs/pictures
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [jsonPath, folder] = process.argv.slice(2);
if (!folder) {
  console.error("usage: node scripts/plot_performance.mjs bench.json FOLDER");
  process.exit(2);
}
const bench = JSON.parse(readFileSync(jsonPath, "utf8"));

const stages = ["predict", "stretch", "volume", "match", "update"];
const stageColors = ["#8fb8de", "#e3a857", "#7fb685", "#c97b84", "#9d8ec7"];
const threadColors = { 1: "#2f5d8a", 2: "#c0632b" };
const width = 720, height = 330;
const frame = { left: 64, right: width - 24, top: 60, bottom: height - 52 };

const text = (x, y, words, more = "") => `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${words}</text>`;
const line = (x1, y1, x2, y2, more) =>
  `<line x1="${x1.toFixed(1)}" y1="${y1.toFixed(1)}" x2="${x2.toFixed(1)}" y2="${y2.toFixed(1)}" ${more}/>`;
const box = (x, y, w, h, color) =>
  `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${w.toFixed(1)}" height="${h.toFixed(1)}" fill="${color}"/>`;
const voxels = (n) => n.toLocaleString("en-US");

function write(name, title, parts) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"
 font-family="sans-serif" font-size="13" fill="#222">
<rect width="${width}" height="${height}" fill="#fff"/>
${text(frame.left, 24, title, 'font-size="15" font-weight="bold"')}
${parts.join("\n")}
</svg>
`;
  writeFileSync(join(folder, name), svg);
}

/// Grid lines at round values of ns, from zero to `most`.
function nanosecondAxis(most, step, y) {
  const parts = [];
  for (let ns = 0; ns <= most; ns += step) {
    parts.push(line(frame.left, y(ns), frame.right, y(ns), `stroke="${ns ? "#ddd" : "#888"}"`));
    parts.push(text(frame.left - 8, y(ns) + 4, ns, 'text-anchor="end"'));
  }
  return parts;
}

const vertical = (most) => (ns) => frame.bottom - (ns / most) * (frame.bottom - frame.top);
const isPlain = (row) => /^bunny \d+$/.test(row.what);

function plotScaling() {
  const rows = bench.rows.filter(isPlain).sort((a, b) => a.points - b.points);
  const most = Math.ceil(Math.max(...rows.map((r) => r.step_ns)) / 20) * 20;
  const y = vertical(most);
  const x = (n) => frame.left + ((Math.log10(n) - 3.3) / 2.9) * (frame.right - frame.left);
  const parts = nanosecondAxis(most, 20, y);
  for (const n of [3000, 10000, 30000, 100000, 300000, 1000000])
    parts.push(text(x(n), frame.bottom + 20, voxels(n), 'text-anchor="middle"'));
  parts.push(text((frame.left + frame.right) / 2, height - 10, "voxels", 'text-anchor="middle"'));
  for (const threads of [1, 2]) {
    const curve = rows.filter((r) => r.threads === threads), color = threadColors[threads];
    const points = curve.map((r) => `${x(r.points).toFixed(1)},${y(r.step_ns).toFixed(1)}`).join(" ");
    parts.push(`<polyline points="${points}" fill="none" stroke="${color}" stroke-width="2"/>`);
    for (const r of curve) {
      parts.push(`<circle cx="${x(r.points).toFixed(1)}" cy="${y(r.step_ns).toFixed(1)}" r="4" fill="${color}"/>`);
      parts.push(text(x(r.points), y(r.step_ns) - 9, r.step_ns.toFixed(0), `text-anchor="middle" fill="${color}"`));
    }
    const label = threads === 1 ? "one thread" : "two threads";
    parts.push(text(frame.left + 16, frame.top + 20 * threads, label, `fill="${color}" font-weight="bold"`));
  }
  write("layers_scaling.svg", "ns per voxel and step, by the size of the body", parts);
}

function plotStages() {
  const rows = bench.rows.filter((r) => isPlain(r) && r.threads === 1).sort((a, b) => a.points - b.points);
  const most = Math.ceil(Math.max(...rows.map((r) => r.step_ns)) / 20) * 20;
  const y = vertical(most), slot = (frame.right - frame.left) / rows.length;
  const parts = nanosecondAxis(most, 20, y);
  rows.forEach((row, k) => {
    const left = frame.left + (k + 0.2) * slot, wide = 0.6 * slot;
    let sum = 0;
    stages.forEach((stage, s) => {
      const tall = y(sum) - y(sum + row[stage]);
      parts.push(box(left, y(sum + row[stage]), wide, tall, stageColors[s]));
      if (tall > 13) parts.push(text(left + wide / 2, y(sum) - tall / 2 + 4, row[stage].toFixed(1), 'text-anchor="middle" font-size="11"'));
      sum += row[stage];
    });
    parts.push(text(left + wide / 2, frame.bottom + 20, voxels(row.points), 'text-anchor="middle"'));
  });
  stages.forEach((stage, s) => {
    parts.push(box(frame.left + 8 + 92 * s, frame.top - 25, 12, 12, stageColors[s]));
    parts.push(text(frame.left + 25 + 92 * s, frame.top - 14, stage));
  });
  parts.push(text((frame.left + frame.right) / 2, height - 10, "voxels", 'text-anchor="middle"'));
  write("layers_stages.svg", "ns per voxel and step, by stage, one thread", parts);
}

function plotAgainst() {
  const find = (what) => bench.rows.find((r) => r.what === what).step_ns;
  const bars = [
    ["copy of the State", bench.copy_ns, "#999"],
    ["layers", find("bunny 32"), threadColors[1]],
    ["layers, region width 9", find("bunny 32, width 9"), threadColors[1]],
    ["Bullet, tetrahedra", bench.bullet_tetrahedra_ns, "#999"],
    ["layers, plain loops", find("bunny 32, plain loops"), "#8fb8de"],
    ["Bullet, 26 neighbours", bench.bullet_26_ns, "#999"],
  ];
  const most = Math.max(...bars.map((b) => b[1])), left = 190, ours = find("bunny 32");
  const tall = (frame.bottom + 30 - frame.top) / bars.length;
  const parts = bars.flatMap(([name, ns, color], k) => {
    const top = frame.top + k * tall, wide = (ns / most) * (frame.right - left - 110);
    return [
      text(left - 10, top + tall / 2 + 2, name, 'text-anchor="end"'),
      box(left, top + 6, wide, tall - 14, color),
      text(left + wide + 8, top + tall / 2 + 2, `${ns.toFixed(ns < 10 ? 1 : 0)}${name === "layers" ? "" : ` (${(ns / ours).toFixed(ns < ours ? 2 : 1)} x)`}`),
    ];
  });
  const points = bench.rows[0].points;
  write("layers_against.svg", `ns per point and step, ${voxels(points)} points, one thread`, parts);
}

plotScaling();
plotStages();
plotAgainst();
