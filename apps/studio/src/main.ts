import '@fontsource-variable/inter/wght.css';
import './styles.css';
import { App } from './app';
import { build_shell } from './ui/shell';
import { listen_to_handles } from './pose/handle_pointer';
import { listen_to_pointer } from './view/pointer';
import { follow_theme } from './view/theme';

const canvas = document.createElement('canvas');
canvas.className = 'canvas';
canvas.tabIndex = 0;
canvas.setAttribute('role', 'img');
canvas.setAttribute('aria-label', 'The character. Drag on the skin to pull it, beside it to turn the camera; click to choose a body part. Shift and arrow keys turn the camera, plus and minus zoom in and out.');

try {
  const app = new App(canvas);
  build_shell(app, document.getElementById('app')!, canvas);
  listen_to_handles(app);
  listen_to_pointer(app);
  follow_theme(app.stage, () => { app.ticker.dirty = true; });
  app.start().catch((problem) => {
    app.events.emit('busy', null);
    app.complain(problem);
  });
  // For tests and the curious.
  Object.assign(globalThis, { studio: app });
} catch {
  document.getElementById('app')!.textContent = 'Fascia Studio needs WebGL 2, which this browser does not offer.';
}
