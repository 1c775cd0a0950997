// Weight and wind, in multiples of what a person of the character's height would feel.
import type { App } from '../app';
import { section, slider } from './controls';

/** Metres per second squared for a person of 1.7 m, in the character's own units. */
const usual_weight = (size: number) => (9.81 * size) / 1.7;

export function forces_section(app: App): HTMLElement {
  const set = (times: number, final: boolean) => {
    const down = times * usual_weight(app.info!.size);
    app.tuning.set_field('gravity', [0, -down, 0], final);
  };
  const weight = slider({ label: 'Weight', help: 'How much the flesh hangs; 1 is that of a person of this height.', min: 0, max: 3, step: 0.1, value: 0,
    format: (v) => `${v.toFixed(1)} g`, input: (v) => set(v, false), change: (v) => set(v, true) });
  const wind = slider({ label: 'Wind', help: 'Blows from one side, in gusts; 1 pushes as hard as weight pulls. Exports feel it, too.', min: 0, max: 3, step: 0.1, value: 0,
    format: (v) => `${v.toFixed(1)} g`, input: (v) => app.set_wind(v) });
  const element = section('Forces', weight.element, wind.element);
  const show = () => {
    if (!app.hello || !app.info) return;
    element.hidden = !app.chosen.some((m) => m.abilities.gravity);
    const { gravity } = app.flesh;
    const down = Array.isArray(gravity) ? -Number(gravity[1]) : Number(gravity ?? 0);
    wind.set(app.wind);
    weight.set(Math.max(0, Math.min(3, down / usual_weight(app.info.size))));
  };
  for (const event of ['flesh', 'rig', 'character', 'view'] as const) app.events.on(event, show);
  return element;
}
