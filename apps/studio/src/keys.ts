// Keyboard shortcuts; none is active while the user is typing.
import type { App } from './app';
import type { Along } from './pose/posing';

/** help: opens or closes the sheet of keys. */
export function listen_to_keys(app: App, help: () => void) {
  addEventListener('keydown', (event) => {
    const target = event.target as HTMLElement;
    const typing = target.matches('input[type=text], input[type=number], textarea, select') || target.isContentEditable;
    if (event.key === 'Escape') return app.escape();
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() !== 'z' || typing) return;
      event.preventDefault();
      // With the brush in hand, strokes are undone.
      const what = app.posing.on ? app.posing : app.painting.on ? app.painting : app.tuning;
      if (event.shiftKey) void what.redo();
      else void what.undo();
      return;
    }
    if (typing || event.altKey || document.querySelector('dialog[open]')) return;
    if (target === app.stage.canvas && turn_camera(app, event)) return;
    if (app.posing.on && pose_by_key(app, event)) return event.preventDefault();
    // Sliders, tabs and the divider use arrows themselves, buttons and switches the space key.
    const step = { ArrowLeft: -1, ArrowRight: 1, ',': -1, '.': 1 }[event.key] as -1 | 1 | undefined;
    if (step && !(event.key.startsWith('Arrow') && target.matches('input, [role=tab], [role=slider]'))) {
      event.preventDefault();
      app.step(step);
    } else if (event.key === ' ') {
      if (target.matches('button, input[type=checkbox], input[type=radio]')) return;
      event.preventDefault();
      app.set_playing(!app.playing);
    } else if (event.key === '?') help();
    else if (event.key === 'l') app.look(() => { app.loop = !app.loop; });
    else if (event.key === 'h') app.home();
    else if (event.key === 'f') app.set_flesh_off(true);
    else if (event.key === 'p' && !event.repeat) void app.hands.poke();
    else if (event.key === 's') void app.hands.shake();
    else if (event.key === 'b' && !event.repeat) void app.hands.throw_ball();
  });
  addEventListener('keyup', (event) => {
    if (event.key.toLowerCase() === 'f') app.set_flesh_off(false);
  });
  addEventListener('blur', () => app.set_flesh_off(false));
}

/** What is done to the chosen handle, and along what it moves. */
function pose_by_key({ posing }: App, event: KeyboardEvent): boolean {
  const along = { v: 'view', x: 'x', y: 'y', z: 'z', g: 'ground' }[event.key] as Along | undefined;
  if (along) posing.set_along(along);
  else if (event.key === 'k') posing.set_key();
  else if (event.key === 'Delete' || event.key === 'Backspace') posing.delete_chosen();
  else return false;
  return true;
}

/** Shift and arrows turn the camera around the body, as do arrows up and down; plus and minus zoom in and out. */
function turn_camera(app: App, event: KeyboardEvent): boolean {
  const turns: Record<string, [number, number]> = { ArrowLeft: [-0.12, 0], ArrowRight: [0.12, 0], ArrowUp: [0, -0.08], ArrowDown: [0, 0.08] };
  const sideways = event.key === 'ArrowLeft' || event.key === 'ArrowRight';
  const turn = sideways && !event.shiftKey ? undefined : turns[event.key], nearer = { '+': 0.9, '=': 0.9, '-': 1 / 0.9 }[event.key];
  if (turn) app.stage.turn(...turn);
  else if (nearer) app.stage.approach(nearer);
  else return false;
  event.preventDefault();
  app.remember();
  return true;
}
