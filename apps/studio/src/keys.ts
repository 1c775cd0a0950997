// Keys for those who know them; none is taken while somebody types.
import type { App } from './app';

export function listen_to_keys(app: App) {
  addEventListener('keydown', (event) => {
    const target = event.target as HTMLElement;
    const typing = target.matches('input[type=text], textarea, select') || target.isContentEditable;
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() !== 'z' || typing) return;
      event.preventDefault();
      if (event.shiftKey) app.redo();
      else app.undo();
      return;
    }
    if (typing || event.altKey) return;
    if (event.key === ' ') {
      // Buttons and switches have their own use for the space key.
      if (target.matches('button, input[type=checkbox], input[type=radio]')) return;
      event.preventDefault();
      app.set_playing(!app.playing);
    } else if (event.key === '.') app.step_once();
    else if (event.key === 'l') app.look(() => { app.loop = !app.loop; });
    else if (event.key === 'h') app.home();
  });
}
