// Creates elements in one line each.
type Child = Node | string | null | false | undefined;
type Props = Record<string, unknown>;

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on') && typeof value === 'function') element.addEventListener(name.slice(2), value as EventListener);
    else if (name === 'class') element.className = String(value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.filter((c): c is Node | string => !!c || c === ''));
  return element;
}

export const with_capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

const ns = 'http://www.w3.org/2000/svg';
/** A 20 x 20 line drawing. */
export function icon(path: string, filled = false): SVGSVGElement {
  const svg = document.createElementNS(ns, 'svg');
  svg.setAttribute('viewBox', '0 0 20 20');
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('class', filled ? 'icon filled' : 'icon');
  const line = document.createElementNS(ns, 'path');
  line.setAttribute('d', path);
  svg.append(line);
  return svg;
}

export const icons = {
  play: 'M6.5 4.2v11.6L15.8 10z',
  pause: 'M6.5 4.5v11M13.5 4.5v11',
  step: 'M5 4.8v10.4L12 10zM15 4.8v10.4',
  back: 'M15 4.8v10.4L8 10zM5 4.8v10.4',
  bare: 'M10 3.2a2.1 2.1 0 1 1 0 4.2 2.1 2.1 0 0 1 0-4.2M10 7.5v5M6 9.5l4-1 4 1M7.2 17l2.8-4.6 2.8 4.6',
  poke: 'M3.5 10h8M8.5 7l3 3-3 3M13.2 5.2c2.6 2.2 2.6 7.4 0 9.6',
  shake: 'M7 5.5h6v9H7zM4.5 7.5v5M2.5 9v2M15.5 7.5v5M17.5 9v2',
  ball: 'M12.5 5.5a3.6 3.6 0 1 1 0 7.2 3.6 3.6 0 0 1 0-7.2M2.5 6h4M3.5 9.2h3.2M2.5 12.4h4.5',
  phone: 'M7 3h6v14H7zM9 14.8h2M3.6 6.5v7M16.4 6.5v7',
  help: 'M7.4 7.4a2.6 2.6 0 1 1 3.9 2.3c-.9.5-1.3 1-1.3 2M10 14.4v.3',
  loop: 'M4 9a5 5 0 0 1 5-4h6M12.5 2.5L15 5l-2.5 2.5M16 11a5 5 0 0 1-5 4H5M7.5 12.5L5 15l2.5 2.5',
  undo: 'M7.5 4.5L4 8l3.5 3.5M4.5 8H12a4 4 0 0 1 0 8H8',
  redo: 'M12.5 4.5L16 8l-3.5 3.5M15.5 8H8a4 4 0 0 0 0 8h4',
  link: 'M8.5 11.5a3 3 0 0 0 4.3 0l2.6-2.6a3 3 0 0 0-4.3-4.3l-.9.9M11.5 8.5a3 3 0 0 0-4.3 0l-2.6 2.6a3 3 0 0 0 4.3 4.3l.9-.9',
  theme: 'M10 3.5a6.5 6.5 0 1 0 6.5 6.5A5 5 0 0 1 10 3.5z',
  home: 'M4 9l6-5 6 5M5.5 8v8h9V8',
  close: 'M5.5 5.5l9 9M14.5 5.5l-9 9',
  open: 'M10 13.5V4.5M6.5 8L10 4.5 13.5 8M4 13v3h12v-3',
  save: 'M10 4.5v9M6.5 10l3.5 3.5 3.5-3.5M4 14v2.5h12V14',
} as const;
