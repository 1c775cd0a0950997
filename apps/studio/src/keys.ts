// Keyboard shortcuts; none is active while the user is typing.
import type { App } from './app';

export function listen_to_keys(app: App) {
  addEventListener('keydown', (event) => {
    const target = event.target as HTMLElement;
    const typing = target.matches('input[type=text], input[type=number], textarea, select') || target.isContentEditable;
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() !== 'z' || typing) return;
      event.preventDefault();
      if (event.shiftKey) app.tuning.redo();
      else app.tuning.undo();
      return;
    }
    if (typing || event.altKey) return;
    if (target === app.stage.canvas && turn_camera(app, event)) return;
    if (event.key === ' ') {
      // Buttons and switches use the space key themselves.
      if (target.matches('button, input[type=checkbox], input[type=radio]')) return;
      event.preventDefault();
      app.set_playing(!app.playing);
    } else if (event.key === '.') app.step_once();
    else if (event.key === 'l') app.look(() => { app.loop = !app.loop; });
    else if (event.key === 'h') app.home();
  });
}

/** Arrows turn the camera around the body, plus and minus zoom in and out. */
function turn_camera(app: App, event: KeyboardEvent): boolean {
  const turns: Record<string, [number, number]> = { ArrowLeft: [-0.12, 0], ArrowRight: [0.12, 0], ArrowUp: [0, -0.08], ArrowDown: [0, 0.08] };
  const turn = turns[event.key], nearer = { '+': 0.9, '=': 0.9, '-': 1 / 0.9 }[event.key];
  if (turn) app.stage.turn(...turn);
  else if (nearer) app.stage.approach(nearer);
  else return false;
  event.preventDefault();
  app.remember();
  return true;
}
