// The characters opened last, with their motions and flesh, kept by this browser and nowhere else: a reload or a link
// comes back to them. Where the browser keeps nothing (private windows), the list is empty.
import type { Flesh, NamedBytes } from '../sim/api';

export interface Recent {
  name: string;
  /** When it was opened last. */
  at: number;
  bytes: number;
  flesh: Flesh | null;
  /** [vertices] softness painted by hand. */
  painted?: Float32Array;
}
interface Kept { name: string; files: NamedBytes[]; motions: NamedBytes[]; }

const most_entries = 8;
const most_bytes = 400e6;

const done = <T>(request: IDBRequest<T>) =>
  new Promise<T>((take, fail) => {
    request.onsuccess = () => take(request.result);
    request.onerror = () => fail(request.error);
  });

export class RecentFiles {
  list: Recent[] = [];
  private base: IDBDatabase | null = null;

  async open() {
    try {
      const request = indexedDB.open('fascia-studio', 1);
      request.onupgradeneeded = () => {
        for (const store of ['entries', 'files']) request.result.createObjectStore(store, { keyPath: 'name' });
      };
      this.base = await done(request);
      await this.refresh();
    } catch {
      this.base = null;
    }
  }

  private stores() {
    const transaction = this.base!.transaction(['entries', 'files'], 'readwrite');
    return { entries: transaction.objectStore('entries'), files: transaction.objectStore('files') };
  }
  private async refresh() {
    const all: Recent[] = await done(this.stores().entries.getAll());
    this.list = all.sort((a, b) => b.at - a.at);
  }
  /** The browser is out of space, or forbids it: the page goes on without. */
  private async change(work: () => Promise<unknown>) {
    if (!this.base) return;
    try {
      await work();
      await this.refresh();
    } catch {
      // Nothing is kept, nothing is lost.
    }
  }

  has(name: string) {
    return this.list.some((entry) => entry.name === name);
  }

  async keep(files: NamedBytes[], motions: NamedBytes[]) {
    const name = files[0]!.name;
    const { flesh = null, painted } = this.list.find((e) => e.name === name) ?? {};
    const bytes = [...files, ...motions].reduce((sum, file) => sum + file.bytes.length, 0);
    if (bytes > most_bytes) return;
    await this.change(async () => {
      const stores = this.stores();
      await done(stores.files.put({ name, files, motions } satisfies Kept));
      await done(stores.entries.put({ name, at: Date.now(), bytes, flesh, painted } satisfies Recent));
    });
    await this.drop_oldest();
  }
  private async drop_oldest() {
    let bytes = 0;
    const too_much = this.list.filter((entry, i) => (bytes += entry.bytes) > most_bytes || i >= most_entries);
    for (const { name } of too_much) await this.forget(name);
  }

  async keep_motions(name: string, added: NamedBytes[]) {
    const kept = await this.files(name);
    if (!kept) return;
    const others = kept.motions.filter((old) => !added.some((file) => file.name === old.name));
    await this.keep(kept.files, [...others, ...added]);
  }

  async keep_flesh(name: string, flesh: Flesh) {
    const entry = this.list.find((e) => e.name === name);
    if (entry) await this.change(() => done(this.stores().entries.put({ ...entry, flesh })));
  }

  painted(name: string): Float32Array | null {
    return this.list.find((e) => e.name === name)?.painted ?? null;
  }
  async keep_painted(name: string, painted: Float32Array) {
    const entry = this.list.find((e) => e.name === name);
    if (entry) await this.change(() => done(this.stores().entries.put({ ...entry, painted: painted.slice() })));
  }

  async files(name: string): Promise<Kept | null> {
    try {
      return (this.base && (await done<Kept | undefined>(this.stores().files.get(name)))) ?? null;
    } catch {
      return null;
    }
  }

  async forget(name: string) {
    await this.change(async () => {
      const stores = this.stores();
      await Promise.all([done(stores.entries.delete(name)), done(stores.files.delete(name))]);
    });
  }
}
