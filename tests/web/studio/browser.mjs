// A Chromium that opens the studio from this machine only, and records its requests.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { serve } from '../../../scripts/serve_studio.mjs';

const chromium_path = process.env.FASCIA_CHROMIUM ?? '/usr/bin/chromium';
export const has_browser = existsSync(chromium_path);

export async function open_browser() {
  return chromium.launch({
    executablePath: chromium_path,
    args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
}

export async function open_studio(folder, options = {}) {
  const server = await serve(folder, 0, options);
  const base = `http://127.0.0.1:${server.address().port}/`;
  return { server, base };
}

/** A page with notes of its requests, errors and console. */
export async function open_page(browser, { greet = false, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1120, height: 700 }, acceptDownloads: true, ...options });
  // The ghost hand that greets visitors would pull at what is being tested.
  if (!greet) await context.addInitScript(() => localStorage.setItem('fascia-greeted', '1'));
  const page = await context.newPage();
  page.setDefaultTimeout(Number(process.env.FASCIA_PATIENCE ?? 120_000)); // a busy machine is no failure
  const notes = { requests: [], sizes: [], errors: [], async transferred() { return (await Promise.all(this.sizes)).reduce((a, b) => a + b, 0); } };
  page.on('request', (request) => notes.requests.push(request.url()));
  page.on('response', (response) => {
    notes.sizes.push(response.allHeaders().then((headers) => Number(headers['content-length'] ?? 0), () => 0));
  });
  page.on('pageerror', (error) => notes.errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') notes.errors.push(message.text());
  });
  return { context, page, notes };
}

/** Waits until the current character has been drawn at least `frames` more times. */
export async function drawn(page, frames = 2, timeout = 120_000) {
  const from = await page.evaluate(() => globalThis.studio?.frames ?? 0);
  await page.waitForFunction(([a, n]) => (globalThis.studio?.frames ?? 0) >= a + n, [from, frames], { timeout, polling: 50 });
}
