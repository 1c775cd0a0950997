// Arrays that travel between the page and the worker are sent back to be filled again.
export class Buffers {
  private free = new Map<number, ArrayBuffer[]>();

  give(buffers: ArrayBuffer[]) {
    for (const buffer of buffers) {
      const list = this.free.get(buffer.byteLength) ?? [];
      if (list.length < 8) list.push(buffer);
      this.free.set(buffer.byteLength, list);
    }
  }

  floats(source: Float32Array): Float32Array<ArrayBuffer> {
    const buffer = this.free.get(source.byteLength)?.pop() ?? new ArrayBuffer(source.byteLength);
    const out = new Float32Array(buffer);
    out.set(source);
    return out;
  }

  clear() {
    this.free.clear();
  }
}
