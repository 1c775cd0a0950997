// Exports: baked files of the current clip, a picture, a short film; with progress and a cancel button.
import type { App } from '../app';
import { download } from '../out/download';
import { glb_bytes, large_file, megabytes, pc2_bytes } from '../out/sizes';
import { three_folder } from '../out/three_folder';
import { longest_film, record } from '../out/webm';
import { button, section, segmented } from './controls';
import { h } from './dom';

interface Size { name: string; pixels: [number, number] | null; }
const sizes: Size[] = [
  { name: 'View', pixels: null }, { name: '1280 × 720', pixels: [1280, 720] }, { name: '1920 × 1080', pixels: [1920, 1080] },
  { name: '1080 × 1080', pixels: [1080, 1080] }, { name: '3840 × 2160', pixels: [3840, 2160] },
];
/** The view itself at twice its size on the page. */
const pixels_of = (size: Size, canvas: HTMLCanvasElement): [number, number] =>
  size.pixels ?? [2 * canvas.clientWidth, 2 * canvas.clientHeight];

export function export_panel(app: App): HTMLElement {
  let fps = 30;
  const rate = segmented('Frames per second', [['24', '24'], ['30', '30'], ['60', '60']], '30', (v) => {
    fps = Number(v);
    show_sizes();
  });
  let bones = false;
  const holds = segmented('GLB holds', [['vertices', 'every vertex'], ['bones', 'the bones']], 'vertices', (v) => {
    bones = v === 'bones';
    show_sizes();
  });
  const bar = h('progress', { max: 1, value: 0, 'aria-label': 'Progress of the export' });
  const what = h('p', { class: 'muted' });
  let cancel = () => {};
  const job = h('div', { class: 'job', hidden: true }, what, bar, button('Cancel', () => cancel()));
  const starters: HTMLButtonElement[] = [];

  const run = async (text: string, stop: () => void, work: (progress: (share: number) => void) => Promise<boolean>) => {
    what.textContent = text;
    bar.value = 0;
    job.hidden = false;
    cancel = stop;
    app.stop_job = stop;
    for (const b of starters) b.disabled = true;
    try {
      if (!(await work((share) => { bar.value = share; }))) app.events.emit('note', `Stopped: ${text}. Nothing was written.`);
    } catch (problem) {
      app.complain(problem);
    }
    job.hidden = true;
    app.stop_job = null;
    for (const b of starters) b.disabled = false;
  };

  const name = () => `${app.info?.name ?? 'character'}_${app.info?.clips[app.clip]?.name ?? 'still'}`.replace(/[^\w.-]+/g, '_');
  // The file is named after the character that the export began with, whatever has been opened since.
  const bake = (format: 'glb' | 'pc2', file = `${name()}.${format}`) => run(`Baking ${file}`, () => void app.sim.cancelBake(), async (progress) => {
    app.sim.onProgress = progress;
    const bytes = await app.sim.bake(format, fps);
    if (bytes) download(file, new Blob([bytes.slice()], { type: format === 'glb' ? 'model/gltf-binary' : 'application/octet-stream' }));
    return bytes !== null;
  });
  /** The character with its skeleton and all its motions. */
  const rigged = (file = `${app.info?.name ?? 'character'}_rigged.glb`.replace(/[^\w.-]+/g, '_')) => run(`Writing ${file}`, () => {}, async () => {
    download(file, new Blob([(await app.sim.writeCharacter()).slice()], { type: 'model/gltf-binary' }));
    return true;
  });
  let size = sizes[0]!;
  const choose_size = segmented('Size', sizes.map((one) => [one.name, one.name]), size.name, (v) => { size = sizes.find((one) => one.name === v)!; });
  /** In full quality, whatever this screen and this machine show. */
  const enlarged = () => app.stage.enlarge(...pixels_of(size, app.stage.canvas));
  const picture = (file = `${name()}.png`) => {
    const fine = enlarged();
    app.draw();
    app.stage.canvas.toBlob((blob) => blob && download(file, blob), 'image/png');
    fine.restore();
    app.draw();
  };
  let stop_film = () => {};
  app.events.on('opened', () => stop_film());
  const film = (file = `${name()}.webm`) => {
    void run('Recording the view', () => stop_film(), async (progress) => {
      const seconds = Math.min(longest_film, Math.max(1, app.duration / app.speed || 3));
      // The view is filmed as it is: it has to be drawn many times a second.
      const fine = size.pixels ? enlarged() : null;
      app.draw();
      const recording = record(app.stage.canvas, seconds, progress);
      app.draw();
      stop_film = recording.cancel;
      const blob = await recording.done;
      stop_film = () => {};
      fine?.restore();
      if (blob) download(file, blob);
      return blob !== null;
    });
  };
  const folder = (file = `${app.info?.name ?? 'character'}_three.zip`) =>
    run(`Packing ${file}`, () => {}, async () => {
      download(file, await three_folder(app));
      return true;
    });
  starters.push(button('GLB', () => void (bones ? rigged() : bake('glb')), 'main'), button('PC2', () => void bake('pc2')), button('PNG', () => picture()), button('WebM', () => film()), button('three.js folder', () => void folder()));

  const sizes_text = h('p', { class: 'help', role: 'status' });
  const show_sizes = () => {
    if (!app.info) return;
    const frames = Math.floor(app.duration * fps + 1e-6) + 1;
    const [glb, pc2] = [glb_bytes(app.info, frames), pc2_bytes(app.info, frames)];
    sizes_text.textContent = bones
      ? `About ${megabytes(app.info.glb.length)}: the skeleton with its ${app.info.clips.length} motions, for engines that skin by themselves. The flesh stays behind.`
      : `${frames} frames: about ${megabytes(glb)} as GLB, ${megabytes(pc2)} as PC2.`;
    if (!bones && glb > large_file) sizes_text.textContent += ' That is a lot to load: fewer frames per second, or a shorter clip, make it smaller.';
    sizes_text.classList.toggle('warning', !bones && glb > large_file);
  };
  for (const event of ['character', 'rig', 'view', 'clip'] as const) app.events.on(event, show_sizes);

  return h('div', {},
    section('Bake the clip', h('p', { class: 'help' }, 'Every vertex of every frame, flesh included: GLB for engines and viewers, PC2 for Blender and others.'),
      rate.element, holds.element, sizes_text, h('div', { class: 'row' }, starters[0]!, starters[1]!)),
    section('For three.js', h('p', { class: 'help' }, 'A folder with a page that runs: the character, its flesh and the library. The flesh is live, not baked.'),
      h('div', { class: 'row' }, starters[4]!)),
    section('Picture', h('p', { class: 'help' }, `What you see now, or a film of up to ${longest_film} seconds.`),
      choose_size.element, h('div', { class: 'row' }, starters[2]!, starters[3]!)),
    job);
}
