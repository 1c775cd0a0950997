// import { ready } from './index.js';  const fascia = await ready;
import { createFascia } from './core.js';

export * from './core.js';

/** The module, loaded once with as many threads as the page allows. */
export const ready = createFascia();
