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

const kept_as = 'fascia-theme';

export function follow_theme(stage: Stage, changed: () => void) {
  const kept = read_kept();
  if (kept === 'light' || kept === 'dark') document.documentElement.dataset.theme = kept;
  const update = () => {
    show(stage);
    changed();
  };
  system().addEventListener('change', update);
  update();
}

export function toggle_theme(stage: Stage) {
  const theme = is_dark() ? 'light' : 'dark';
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(kept_as, theme);
  } catch {
    // This browser keeps nothing: the choice holds until the page is closed.
  }
  show(stage);
}

function read_kept(): string | null {
  try {
    return localStorage.getItem(kept_as);
  } catch {
    return null;
  }
}
