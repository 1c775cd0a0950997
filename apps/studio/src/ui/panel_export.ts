// Exports: baked files of the current clip, a picture, a short film; with progress and a cancel button.
import type { App } from '../app';
import { download } from '../out/download';
import { longest_film, record } from '../out/webm';
import { button, section, segmented } from './controls';
import { h } from './dom';

export function export_panel(app: App): HTMLElement {
  let fps = 30;
  const rate = segmented('Frames per second', [['24', '24'], ['30', '30'], ['60', '60']], '30', (v) => { fps = Number(v); });
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
    for (const b of starters) b.disabled = true;
    try {
      if (!(await work((share) => { bar.value = share; }))) app.events.emit('note', 'Cancelled; nothing was written.');
    } catch (problem) {
      app.complain(problem);
    }
    job.hidden = true;
    for (const b of starters) b.disabled = false;
  };

  const name = () => `${app.info?.name ?? 'character'}_${app.info?.clips[app.clip]?.name ?? 'still'}`.replace(/[^\w.-]+/g, '_');
  const bake = (format: 'glb' | 'pc2') => run(`Baking ${name()}.${format}`, () => void app.sim.cancelBake(), async (progress) => {
    app.sim.onProgress = progress;
    const bytes = await app.sim.bake(format, fps);
    if (bytes) download(`${name()}.${format}`, new Blob([bytes.slice()], { type: format === 'glb' ? 'model/gltf-binary' : 'application/octet-stream' }));
    return bytes !== null;
  });
  const picture = () => {
    app.draw();
    app.stage.canvas.toBlob((blob) => blob && download(`${name()}.png`, blob), 'image/png');
  };
  const film = () => {
    let stop = () => {};
    void run('Recording the view', () => stop(), async (progress) => {
      const seconds = Math.min(longest_film, Math.max(1, app.duration / app.speed || 3));
      const recording = record(app.stage.canvas, seconds, progress);
      stop = recording.cancel;
      const blob = await recording.done;
      if (blob) download(`${name()}.webm`, blob);
      return blob !== null;
    });
  };
  starters.push(button('GLB', () => void bake('glb'), 'main'), button('PC2', () => void bake('pc2')), button('PNG', picture), button('WebM', film));

  return h('div', {},
    section('Bake the clip', h('p', { class: 'help' }, 'Every vertex of every frame, flesh included: GLB for engines and viewers, PC2 for Blender and others.'),
      rate.element, h('div', { class: 'row' }, starters[0]!, starters[1]!)),
    section('Picture', h('p', { class: 'help' }, `What you see now, or a film of up to ${longest_film} seconds.`),
      h('div', { class: 'row' }, starters[2]!, starters[3]!)),
    job);
}
