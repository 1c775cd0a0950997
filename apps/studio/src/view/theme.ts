// Light or dark: follows the system until the user presses the button.
import type { Stage } from './stage';

const system = () => matchMedia('(prefers-color-scheme: dark)');
const is_dark = () => {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === 'dark' : system().matches;
};

function show(stage: Stage) {
  const style = getComputedStyle(document.documentElement);
  stage.set_theme(style.getPropertyValue('--stage').trim(), style.getPropertyValue('--text').trim(), is_dark());
}

export function follow_theme(stage: Stage, changed: () => void) {
  const update = () => {
    show(stage);
    changed();
  };
  system().addEventListener('change', update);
  update();
}

export function toggle_theme(stage: Stage) {
  document.documentElement.dataset.theme = is_dark() ? 'light' : 'dark';
  show(stage);
}
