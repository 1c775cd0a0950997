// The page's side of the worker: each call is a promise.
import type { FromSim, SimApi, ToSim } from './api';

type Waiting = { done: (value: unknown) => void; fail: (problem: Error) => void };

export interface SimClient extends SimApi {
  onProgress: (share: number) => void;
  onBinding: (share: number | null) => void;
  /** Can a bind be stopped? It needs shared memory, because the worker hears nothing while it binds. */
  readonly canStopBind: boolean;
  stopBind(): void;
}

export function createSim(): SimClient {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'simulation' });
  const waiting = new Map<number, Waiting>();
  let next = 1;
  const stop = globalThis.crossOriginIsolated ? new Int32Array(new SharedArrayBuffer(4)) : null;
  const extra = {
    onProgress: (_share: number) => {},
    onBinding: (_share: number | null) => {},
    canStopBind: stop !== null,
    stopBind: () => { if (stop) Atomics.store(stop, 0, 1); },
    start: (options: { base: string; threads: number }) => call('start', [{ ...options, stop }]),
  };

  worker.onmessage = (event: MessageEvent<FromSim>) => {
    const message = event.data;
    if ('binding' in message) return extra.onBinding(message.binding);
    if ('progress' in message) return extra.onProgress(message.progress);
    const entry = waiting.get(message.id);
    waiting.delete(message.id);
    if ('error' in message) entry?.fail(new Error(message.error));
    else entry?.done(message.value);
  };
  worker.onerror = (event) => {
    for (const entry of waiting.values()) entry.fail(new Error(event.message || 'The simulation stopped.'));
    waiting.clear();
  };

  const call = (name: keyof SimApi, values: unknown[]) =>
    new Promise((done, fail) => {
      const id = next++;
      waiting.set(id, { done, fail });
      const transfer = name === 'frame' ? (values[0] as { recycle: ArrayBuffer[] }).recycle : [];
      worker.postMessage({ id, name, values } satisfies ToSim, transfer);
    });

  return new Proxy(extra, {
    get: (target, name: string) =>
      name in target ? Reflect.get(target, name) : (...values: unknown[]) => call(name as keyof SimApi, values),
  }) as unknown as SimClient;
}
