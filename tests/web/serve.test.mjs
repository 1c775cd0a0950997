// The serving command: loopback only, its own folder only, with the headers that it promises.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { find_file, serve } from '../../scripts/serve_studio.mjs';

const outside = mkdtempSync(join(tmpdir(), 'fascia-serve-'));
const folder = join(outside, 'site');
mkdirSync(join(folder, 'sub'), { recursive: true });
writeFileSync(join(outside, 'secret.txt'), 'secret');
writeFileSync(join(folder, 'index.html'), '<p>here</p>');
writeFileSync(join(folder, 'sub', 'a b.js'), '1');
symlinkSync(join(outside, 'secret.txt'), join(folder, 'way_out.txt'));

let server, port;
before(async () => {
  server = await serve(folder, 0);
  ({ port } = server.address());
});
after(() => server.close());

/** A request sent as written, without normalising the path. */
const ask = (path, { method = 'GET', host = `127.0.0.1:${port}`, headers = {} } = {}) =>
  new Promise((done, fail) => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers: { host, ...headers } }, (answer) => {
      let body = '';
      answer.on('data', (piece) => { body += piece; });
      answer.on('end', () => done({ status: answer.statusCode, headers: answer.headers, body }));
    });
    asked.on('error', fail);
    asked.end();
  });

test('serves its own files', async () => {
  const page = await ask('/');
  assert.equal(page.status, 200);
  assert.equal(page.body, '<p>here</p>');
  assert.equal((await ask('/sub/a%20b.js?x=1')).headers['content-type'], 'text/javascript; charset=utf-8');
  const policy = page.headers['content-security-policy'];
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval'(?<!wasm-unsafe-eval')|https?:|\*/);
  assert.equal(page.headers['cross-origin-opener-policy'], 'same-origin');
  assert.equal(page.headers['cross-origin-embedder-policy'], 'require-corp');
});

test('sends compressed twins to whoever accepts them', async () => {
  writeFileSync(join(folder, 'sub', 'a b.js.br'), 'as brotli');
  writeFileSync(join(folder, 'sub', 'a b.js.gz'), 'as gzip');
  for (const [accepts, encoding, body] of [['gzip, deflate, br', 'br', 'as brotli'], ['gzip', 'gzip', 'as gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip', 'as gzip'], ['identity', undefined, '1'], [undefined, undefined, '1']]) {
    const answer = await ask('/sub/a%20b.js', { headers: accepts ? { 'accept-encoding': accepts } : {} });
    assert.equal(answer.headers['content-encoding'], encoding, accepts);
    assert.equal(answer.headers['content-type'], 'text/javascript; charset=utf-8');
    assert.equal(answer.headers.vary, 'Accept-Encoding');
    assert.equal(answer.body, body);
  }
  assert.equal((await ask('/', { headers: { 'accept-encoding': 'br' } })).headers['content-encoding'], undefined);
});

test('refuses what lies outside', async () => {
  for (const path of ['/../secret.txt', '/%2e%2e/secret.txt', '/sub/../../secret.txt', '/..%2fsecret.txt', '/..%5csecret.txt',
    '/way_out.txt', '//secret.txt', '/%00', '/%zz', '/missing']) {
    const answer = await ask(path);
    assert.equal(answer.status, 404, path);
    assert.doesNotMatch(answer.body, /^secret$/, path);
  }
  assert.equal(find_file(folder, '/way_out.txt'), null);
  assert.equal((await ask('/', { method: 'POST' })).status, 405);
  assert.equal((await ask('/', { host: 'evil.example' })).status, 403);
});

test('listens on loopback only', async () => {
  assert.equal(server.address().address, '127.0.0.1');
  const other = Object.values(networkInterfaces()).flat().find((n) => n.family === 'IPv4' && !n.internal);
  if (!other) return;
  await assert.rejects(new Promise((done, fail) => {
    const asked = request({ host: other.address, port, timeout: 3000 }, done);
    asked.on('error', fail);
    asked.on('timeout', () => asked.destroy(new Error('no answer')));
    asked.end();
  }));
});
