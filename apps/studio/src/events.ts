// A small event emitter.
export class Events<Map> {
  private listeners: { [K in keyof Map]?: ((value: Map[K]) => void)[] } = {};

  on<K extends keyof Map>(name: K, listener: (value: Map[K]) => void) {
    (this.listeners[name] ??= []).push(listener);
  }
  /** Calls the listener once, at the next event. */
  once<K extends keyof Map>(name: K, listener: (value: Map[K]) => void) {
    const listeners: ((value: Map[K]) => void)[] = (this.listeners[name] ??= []);
    const once = (value: Map[K]) => {
      listeners.splice(listeners.indexOf(once), 1);
      listener(value);
    };
    listeners.push(once);
  }
  emit<K extends keyof Map>(name: K, value: Map[K]) {
    for (const listener of [...(this.listeners[name] ?? [])]) listener(value);
  }
}
