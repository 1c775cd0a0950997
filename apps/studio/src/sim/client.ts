// The page's side of the worker: each call is a promise.
import type { FromSim, SimApi, ToSim } from './api';

type Waiting = { done: (value: unknown) => void; fail: (problem: Error) => void };

export interface SimClient extends SimApi {
  onProgress: (share: number) => void;
}

export function createSim(): SimClient {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'simulation' });
  const waiting = new Map<number, Waiting>();
  let next = 1;
  const extra = { onProgress: (_share: number) => {} };

  worker.onmessage = (event: MessageEvent<FromSim>) => {
    const message = event.data;
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
