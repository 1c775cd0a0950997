// A ZIP file without compression: what is in it is compressed already, or soon loaded.
export interface Entry { name: string; bytes: Uint8Array; }

const table = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  return c;
});

export function crc32(bytes: Uint8Array): number {
  let c = 0xffffffff;
  for (const byte of bytes) c = table[(c ^ byte) & 255]! ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

const new_year_1980 = 0x21; // a fixed date: the same folder gives the same bytes

/** The part that the header in front of a file and its line in the directory share. */
function described({ name, bytes }: Entry): number[] {
  const [utf8, stored] = [0x0800, 0];
  const word = (n: number) => [n & 255, (n >>> 8) & 255], long = (n: number) => [...word(n), ...word(n >>> 16)];
  return [...word(20), ...word(utf8), ...word(stored), ...word(0), ...word(new_year_1980), ...long(crc32(bytes)), ...long(bytes.length), ...long(bytes.length),
    ...word(new TextEncoder().encode(name).length), ...word(0)];
}

export function zip(entries: Entry[]): Blob {
  const pieces: Uint8Array[] = [], directory: Uint8Array[] = [];
  const long = (n: number) => [n & 255, (n >>> 8) & 255, (n >>> 16) & 255, (n >>> 24) & 255];
  const length = (list: Uint8Array[]) => list.reduce((sum, piece) => sum + piece.length, 0);
  let at = 0;
  for (const entry of entries) {
    const name = new TextEncoder().encode(entry.name), shared = described(entry);
    const head = Uint8Array.from([0x50, 0x4b, 3, 4, ...shared]);
    pieces.push(head, name, entry.bytes);
    directory.push(Uint8Array.from([0x50, 0x4b, 1, 2, 20, 0, ...shared, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ...long(at)]), name);
    at += head.length + name.length + entry.bytes.length;
  }
  const count = [entries.length & 255, entries.length >>> 8];
  const end = Uint8Array.from([0x50, 0x4b, 5, 6, 0, 0, 0, 0, ...count, ...count, ...long(length(directory)), ...long(at), 0, 0]);
  return new Blob([...pieces, ...directory, end] as BlobPart[], { type: 'application/zip' });
}
