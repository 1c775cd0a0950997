// Method, split view, colours, and the inside of the body.
import type { App } from '../app';
import { carried_title, grouped, origin_of, title_of } from '../flesh/method_words';
import type { Embed, Paint } from '../sim/api';
import { layer_colors } from '../view/colors';
import type { InsideColour } from '../view/inside';
import { section, segmented, select, slider, toggle, unnamed } from './controls';
import { h, with_capital } from './dom';

export function look_panel(app: App): HTMLElement {
  const summary = h('p', { class: 'help' }), origin = h('p', { class: 'help origin' });
  const method = unnamed(select('Method', '', [], '', (v) => void app.choose_methods(v, app.second)));
  method.element.append(summary, origin);
  const second = select('Beside it', 'A second method on the same motion; drag the line between them.', [], '',
    (v) => void app.choose_methods(app.method, v || null));
  const embed = select('Skin carried', 'How the points inside carry the skin; smooth ways show no voxels.', [], '',
    (v) => void app.choose_methods(app.method, app.second, v as Embed));
  const paint = unnamed(segmented('Colour of the skin',
    [['none', 'Own'], ['offset', 'Offset'], ['strain', 'Strain'], ['weights', 'Weights'], ['difference', 'Difference'], ['domains', 'Domains']],
    app.paint,
    (v) => app.look(() => { app.paint = v as Paint; })));
  const explain = h('p', { class: 'help' });
  const joint = select('Weights of', '', [], '', (v) => app.look(() => { app.paintJoint = Number(v); }));

  const inside = toggle('Show what is inside', app.inside, (v) => app.look(() => { app.inside = v; }));
  const inside_help = h('p', { class: 'help' });
  inside.element.append(inside_help);
  const colour = segmented('Coloured by', [['joints', 'Joint parts'], ['bones', 'Bone parts'], ['layers', 'Layers']], app.insideColour,
    (v) => app.look(() => { app.insideColour = v as InsideColour; }));
  const particles = toggle('Particles', app.particles, (v) => app.look(() => { app.particles = v; }));
  const cells = toggle('Cells', app.cells, (v) => app.look(() => { app.cells = v; }));
  const glass = toggle('Skin over it', app.glass, (v) => app.look(() => { app.glass = v; }), 'Clear, so that the inside shines through.');
  const particle_controls = h('div', { class: 'stack' }, colour.element, particles.element, cells.element);
  const axis = segmented('Cut from the', [['2', 'front'], ['0', 'left'], ['1', 'top']], String(app.cutAxis),
    (v) => app.look(() => { app.cutAxis = Number(v) as 0 | 1 | 2; }));
  const cut = slider({ label: 'Cutting plane', help: 'Slides through the body.', min: 0, max: 1, step: 0.01, value: app.cut,
    format: (v) => `${Math.round(v * 100)} %`, input: (v) => app.look(() => { app.cut = v; }) });
  const layers = h('div', { class: 'layers', role: 'group', 'aria-label': 'Layers shown' });
  const cut_controls = h('div', { class: 'stack' }, glass.element, particle_controls, axis.element, cut.element, layers);

  const extremes = toggle('Extremes of the swing', app.extremes, (v) => app.look(() => { app.extremes = v; }),
    'Clear skins where the flesh has been in the last seconds.');

  const explanations: Record<Paint, string> = {
    none: 'The materials and textures of the file.',
    offset: 'Distance from the same method without swing; hottest at 5 % of the size.',
    strain: 'Stretch of the edges relative to the rest shape; hottest at 50 %.',
    weights: 'Which joint holds the skin, and how firmly.',
    difference: 'Distance between the two methods; hottest at 5 % of the size.',
    domains: 'Parts of the skin that are carried by themselves, and the samples that carry them.',
  };

  const show = () => {
    if (!app.hello || !app.info) return;
    const chosen = app.chosen[0]!;
    method.groups(grouped(app.hello.methods), app.method);
    summary.textContent = with_capital(`${chosen.summary}.`);
    origin.textContent = origin_of(chosen);
    second.groups([['', [['', 'nothing']]], ...grouped(app.hello.methods.filter((m) => m.name !== app.method))], app.second ?? '');
    const ways = chosen.abilities.embeddings;
    embed.element.hidden = ways.length === 0;
    embed.options(['auto', ...ways].map((way): [string, string] => [way, carried_title(way)]), ways.includes(app.embed) ? app.embed : 'auto');
    paint.set(app.paint);
    const radios = paint.element.querySelectorAll('input');
    const missing: Record<string, boolean> = { difference: app.second === null, domains: (app.rig?.domains.length ?? 0) === 0 };
    radios.forEach((radio) => { radio.disabled = missing[radio.value] ?? false; });
    explain.textContent = explanations[app.paint];
    joint.element.hidden = app.paint !== 'weights';
    joint.options([['-1', 'every joint'], ...app.info.joints.map((j, i): [string, string] => [String(i), j.name])], String(app.paintJoint));
    const has_inside = (app.rig?.insidePoints ?? 0) > 0;
    glass.set(app.glass);
    extremes.set(app.extremes);
    extremes.element.hidden = !chosen.abilities.simulates;
    inside.set(app.inside);
    inside.element.querySelector('input')!.disabled = !has_inside;
    cut_controls.hidden = !app.inside || !has_inside;
    axis.set(String(app.cutAxis));
    cut.set(app.cut);
    const { parts, cells: has_cells } = chosen.abilities;
    inside_help.textContent = !has_inside ? 'This method has no points inside the body.'
      : has_cells ? `Particles at the corners of cells, coloured by ${parts ? 'body part' : 'layer'}.` : 'One cube for each point of the simulation, coloured by layer.';
    if (app.inside && app.second !== null) inside_help.textContent += ` Only “${title_of(app.method)}” is shown; without this, both.`;
    particle_controls.hidden = !has_cells && !parts;
    colour.element.hidden = !parts;
    cells.element.hidden = !has_cells;
    colour.set(app.insideColour);
    particles.set(app.particles);
    cells.set(app.cells);
    layers.replaceChildren(...(app.rig?.layers ?? []).map(({ name, points }) => {
      const box = h('input', { type: 'checkbox', checked: !app.hidden.has(name) });
      box.addEventListener('change', () => app.look(() => { box.checked ? app.hidden.delete(name) : app.hidden.add(name); }));
      const swatch = h('span', { class: 'swatch' });
      swatch.style.background = layer_colors[name as keyof typeof layer_colors] ?? '#86c5e8';
      return h('label', { class: 'layer' }, box, swatch, h('span', {}, name), h('span', { class: 'muted' }, points.toLocaleString('en')));
    }));
  };
  app.events.on('view', show);
  app.events.on('rig', show);
  app.events.on('character', show);

  return h('div', {},
    section('Method', method.element, second.element, embed.element),
    section('Colour of the skin', paint.element, explain, joint.element, extremes.element),
    section('Inside', inside.element, cut_controls));
}
