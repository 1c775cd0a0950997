// What a visitor does on the page.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const data = process.env.FASCIA_DATA ?? join(fileURLToPath(new URL('../../../', import.meta.url)), '../shared/data');

/** page: a function, because the page is opened after this is made. */
export function visitor(page) {
  const studio = (work, value) => page().evaluate(work, value);
  return {
    studio,
    tab: (name) => page().click(`#tab-${name}`),
    pick: (name) => page().getByRole('radio', { name, exact: true }).check(),

    /** Drops files onto the page; without `bytes`, those of the shared data. */
    async drop(names, bytes = null) {
      const files = names.map((name, i) => ({
        name: name.split('/').pop(),
        base64: (bytes?.[i] ?? readFileSync(join(data, name))).toString('base64'),
      }));
      await studio(async (list) => {
        const transfer = new DataTransfer();
        for (const { name, base64 } of list)
          transfer.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name));
        dispatchEvent(new DragEvent('dragenter', { dataTransfer: transfer }));
        dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true }));
      }, files);
    },

    opened: (name) => page().waitForFunction((n) => studio.info?.name === n && document.querySelector('.busy').hidden, name, { polling: 100 }),

    /** A place in the window where there is skin, from the middle of the view upwards or downwards. */
    skin: () => studio(() => {
      const box = studio.stage.canvas.getBoundingClientRect();
      for (const down of [0.56, 0.5, 0.62, 0.45, 0.68, 0.4, 0.74])
        for (const across of [0.5, 0.47, 0.53, 0.44, 0.56]) {
          const place = [box.left + across * box.width, box.top + down * box.height];
          if (studio.hit(...place)) return place;
        }
      return null;
    }),
  };
}
