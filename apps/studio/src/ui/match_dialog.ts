// Which joint of a motion moves which joint of the character, put right by hand.
import type { App } from '../app';
import type { JointMap, MotionMatch } from '../sim/api';
import { button, icon_button } from './controls';
import { h } from './dom';

const nothing = '';

/** How deep each joint lies below the root, for indentation. */
function depths(joints: MotionMatch['joints']): number[] {
  const out: number[] = [];
  for (const { parent } of joints) out.push(parent < 0 ? 0 : (out[parent] ?? 0) + 1);
  return out;
}

/** Asks for pairs; null: the visitor has changed their mind. map: those made by hand before. */
export function ask_for_pairs(app: App, file: string, match: MotionMatch, map: JointMap): Promise<JointMap | null> {
  const info = app.info!, ours = info.joints.map((joint) => joint.name), found = new Map(match.pairs), indent = depths(match.joints);
  const chosen: JointMap = { ...map };
  const element = h('dialog', { class: 'help-sheet match-sheet', 'aria-label': 'Match joints' });
  const use = button('Use these pairs', () => element.close('use'), 'main');
  const count = h('p', { class: 'help', role: 'status' });
  const paired = () => match.joints.filter(({ name }) => chosen[name] ?? found.get(name)).length;
  const show_count = () => {
    count.textContent = `${paired()} of ${match.joints.length} joints of the motion move a joint of ${info.name}.`;
    use.disabled = paired() === 0;
  };
  const row = ({ name }: { name: string }, i: number) => {
    const automatic = found.get(name) ?? nothing;
    const choices = automatic && !ours.includes(automatic) ? [automatic, ...ours] : ours;
    const select = h('select', { 'aria-label': `${name} moves` },
      h('option', { value: nothing }, automatic ? `${automatic} (found)` : 'nothing'),
      ...choices.filter((own) => own !== automatic).map((own) => h('option', { value: own }, own)));
    select.value = chosen[name] ?? nothing;
    select.addEventListener('change', () => {
      if (select.value === nothing) delete chosen[name];
      else chosen[name] = select.value;
      light();
      show_count();
    });
    // The skin that the chosen joint carries lights up.
    const light = () => app.figure.light_up([ours.indexOf(select.value || automatic)]);
    select.addEventListener('focus', light);
    const label = h('span', { class: 'match-name', title: name }, name);
    label.style.setProperty('--depth', String(Math.min(indent[i]!, 12)));
    return h('div', { class: 'match-row' }, label, h('div', { class: 'select' }, select));
  };

  return new Promise((done) => {
    const sentence = match.enough
      ? `What each joint of ${file} moves. Joints that you leave alone are found by name and shape.`
      : `Too few joints of ${file} are like those of ${info.name}. Pair some by hand: the hips, the upper and lower arms and legs, and the head do for most motions.`;
    element.append(
      h('div', { class: 'help-head' }, h('h2', {}, 'Match joints'), icon_button('Close', 'close', () => element.close(''))),
      h('p', { class: 'help' }, sentence),
      h('div', { class: 'match-list', tabindex: 0, role: 'group', 'aria-label': 'Joints of the motion' }, ...match.joints.map(row)),
      count, h('div', { class: 'row' }, use, button('Cancel', () => element.close(''))));
    element.addEventListener('close', () => {
      element.remove();
      app.events.emit('part', app.tuning.part);
      done(element.returnValue === 'use' ? chosen : null);
    }, { once: true });
    show_count();
    document.body.append(element);
    element.showModal();
  });
}
