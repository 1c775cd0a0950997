// A small event emitter.
export class Events<Map> {
  private listeners: { [K in keyof Map]?: ((value: Map[K]) => void)[] } = {};

  on<K extends keyof Map>(name: K, listener: (value: Map[K]) => void) {
    (this.listeners[name] ??= []).push(listener);
  }
  emit<K extends keyof Map>(name: K, value: Map[K]) {
    for (const listener of this.listeners[name] ?? []) listener(value);
  }
}
