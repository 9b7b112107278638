/** `tape serve` gives pieces by their hash and nothing else, and ends when it is told to. */

import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hashFile } from '../../../src/recording/pieces/file-hash.ts';
import { type Manifest, readManifest } from '../../../src/recording/pieces/manifest.ts';
import { SAMPLE_TAPE } from '../../support/places.ts';
import { builtCommand, type RunningCommand, startProcess } from '../../support/running-command.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { run } from '../fake-terminal.ts';

let running: RunningCommand | undefined;

afterEach(async () => {
  running?.kill();
  await running?.ended;
  running = undefined;
});

async function pieces(): Promise<string> {
  const directory = join(temporaryDirectory('serve'), 'pieces');
  expect((await run('tape', 'split', SAMPLE_TAPE, '--by', 'event', '--out', directory)).code).toBe(0);
  return directory;
}

async function start(directory: string): Promise<{ readonly address: string; readonly server: RunningCommand }> {
  const server = startProcess(builtCommand(['tape', 'serve', directory, '--port', '0', '--json']));
  running = server;
  await server.until('"address"');
  return { address: JSON.parse(server.said.out).address, server };
}

describe('a served directory', () => {
  let directory: string;
  let manifest: Manifest;
  beforeAll(async () => {
    directory = await pieces();
    manifest = readManifest(join(directory, 'manifest.json'));
  });

  test('gives its list and each piece by its hash, and ends with 0 on SIGTERM', async () => {
    const { address, server } = await start(directory);
    expect(new URL(address).hostname).toBe('127.0.0.1');
    expect(await (await fetch(`${address}/manifest.json`)).json()).toEqual(manifest);
    for (const { sha256, bytes, file } of manifest.pieces) {
      const answer = await fetch(`${address}/blobs/${sha256}`);
      expect(answer.headers.get('content-length')).toBe(String(bytes));
      const body = Buffer.from(await answer.arrayBuffer());
      const path = join(directory, `../fetched-${file}`);
      writeFileSync(path, body);
      expect(hashFile(path)).toEqual({ sha256, bytes });
    }
    const head = await fetch(`${address}/blobs/${manifest.pieces[0]?.sha256}`, { method: 'HEAD' });
    expect([head.status, (await head.arrayBuffer()).byteLength]).toEqual([200, 0]);
    server.kill('SIGTERM');
    expect((await server.ended).code).toBe(0);
  });

  test.each([
    ['/../../etc/passwd', 404],
    ['/blobs/../manifest.json', 404],
    ['/blobs/%2e%2e/manifest.json', 404],
    ['/blobs/..%2f..%2fetc%2fpasswd', 404],
    [`/blobs/${'0'.repeat(64)}`, 404],
    ['/0001-990001.tape', 404],
    ['/manifest.json/', 404],
    ['//manifest.json', 404],
    ['/', 404],
    ['http://other/manifest.json', 404],
  ])('gives nothing for %s', async (path, status) => {
    const { address } = await start(directory);
    // As it is written: fetch would normalise the path.
    expect(await rawStatus(address, { path, method: 'GET' })).toBe(status);
  });

  test('takes no writing', async () => {
    const { address } = await start(directory);
    for (const method of ['PUT', 'POST', 'DELETE', 'PATCH'])
      expect(await rawStatus(address, { path: '/manifest.json', method })).toBe(405);
  });

  test('exits with 130 on Ctrl-C, and names a port that is taken', async () => {
    const { address, server } = await start(directory);
    const { port } = new URL(address);
    const second = await run('tape', 'serve', directory, '--port', port, '--json');
    expect([second.code, JSON.parse(second.out).error.code]).toEqual([2, 'PORT_IN_USE']);
    server.kill('SIGINT');
    expect((await server.ended).code).toBe(130);
  });
});

test('a directory whose pieces are not whole is not served', async () => {
  const directory = await pieces();
  const [first, second] = readManifest(join(directory, 'manifest.json')).pieces;
  truncateSync(join(directory, first?.file ?? ''), 100);
  const cut = await run('tape', 'serve', directory, '--port', '0', '--json');
  expect([cut.code, JSON.parse(cut.out).error.code]).toEqual([5, 'PIECES_UNREADABLE']);
  rmSync(join(directory, first?.file ?? ''));
  rmSync(join(directory, second?.file ?? ''));
  const missing = await run('tape', 'serve', directory, '--port', '0', '--json');
  expect([missing.code, JSON.parse(missing.out).error.code]).toEqual([5, 'PIECES_NOT_FOUND']);
});

function rawStatus(address: string, asked: { readonly path: string; readonly method: string }): Promise<number> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const call = request({ hostname, port, ...asked }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    call.on('error', reject);
    call.end();
  });
}
