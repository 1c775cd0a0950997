// Messages to the user: what went wrong, what was repaired. Screen readers read them aloud.
import { h, icon, icons } from './dom';

export class Toasts {
  readonly element = h('div', { class: 'toasts', role: 'status', 'aria-live': 'polite' });

  /** Messages about the previous character do not apply to a new one. */
  clear() {
    this.element.replaceChildren();
  }

  show(text: string, kind: 'info' | 'error' = 'info', seconds = kind === 'error' ? 12 : 5) {
    const close = h('button', { type: 'button', class: 'icon-button small', 'aria-label': 'Dismiss' }, icon(icons.close));
    const toast = h('div', { class: `toast ${kind}`, role: kind === 'error' ? 'alert' : undefined }, h('p', {}, text), close);
    const remove = () => toast.remove();
    close.addEventListener('click', remove);
    this.element.append(toast);
    while (this.element.children.length > 3) this.element.firstElementChild!.remove();
    setTimeout(remove, seconds * 1000);
  }
}
