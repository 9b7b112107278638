/** docs/guide.md, typed from its first line to its last: each command does what the page says, each file is saved, each output is printed. */

import { appendFileSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documentBlocks, SHELL, textOf } from '../support/docs/blocks.ts';
import { DocumentSession } from '../support/docs/session.ts';
import { makeStage, type Stage } from '../support/docs/stage.ts';
import { ROOT } from '../support/places.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const GUIDE = 'docs/guide.md';
const blocks = documentBlocks(GUIDE);
const NO_KEYS = { url: '', streamUrl: '', appId: '', apiKey: '', walletId: '', controlKey: '' };

let stage: Stage;
let session: DocumentSession;
/** Stands for ntfy.sh and healthchecks.io: counts who calls. */
let service: Server;
const called = { ntfy: 0, deadMan: 0 };

beforeAll(async () => {
  service = createServer((request, response) => {
    called[request.url === '/dead-man' ? 'deadMan' : 'ntfy'] += 1;
    request.resume().on('end', () => response.end('{}'));
  });
  const serviceAt = await portOf(service);
  const other = createServer();
  const port = await portOf(other);
  await new Promise((resolve) => other.close(resolve));
  const betfairPort = await portPair();
  stage = makeStage(temporaryDirectory('docs-guide'), port);
  const here: readonly (readonly [string, string])[] = [
    ['RECORDINGS', '../oddsmith/recordings'],
    ['sandbox --crowd', `sandbox --crowd --port ${port}`],
    ['127.0.0.1:8640', `127.0.0.1:${port}`],
    ['8740', String(betfairPort)],
    ['8741', String(betfairPort + 1)],
    ['port: 9465', 'port: 0'],
    ['ntfy: { topic', `ntfy: { url: "http://127.0.0.1:${serviceAt}", topic`],
    ['NTFY_TOPIC=…', 'NTFY_TOPIC=a-topic'],
    ['DEAD_MAN_URL=…', `DEAD_MAN_URL=http://127.0.0.1:${serviceAt}/dead-man`],
  ];
  const rewrite = (text: string) => here.reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
  session = new DocumentSession({ stage, facts: NO_KEYS, port, rewrite });
});

afterAll(async () => {
  service.close();
  // The sandbox of the second terminal is still there, as the reader's is.
  expect(await session.end()).toEqual([]);
});

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** The first of two free ports that follow each other: Betfair's stream is beside its API. */
async function portPair(): Promise<number> {
  for (;;) {
    const [first, second] = [createServer(), createServer()];
    const port = await portOf(first);
    const isFree = await new Promise<boolean>((resolve) => {
      second.once('error', () => resolve(false));
      second.listen(port + 1, '127.0.0.1', () => resolve(true));
    });
    for (const each of [first, second]) each.close();
    if (isFree) return port;
  }
}

for (const block of blocks) {
  const { line, language, text, before } = block;
  const name = `${GUIDE}:${line} ${text.split('\n')[0]}`;
  const [, file] = /^(?:#|\/\/) (\S+\.(?:yaml|ts))\n/.exec(text) ?? [];
  if (SHELL.includes(language))
    test(`${name} runs`, async () => {
      if (before.includes('Write `NTFY_TOPIC=…`')) addToEnvironment();
      await session.type(block);
    });
  else if (language === 'text') test(`${name} is printed`, () => expect(session.missing(block), name).toEqual([]));
  else if (language === 'diff') test(`${name} is changed`, () => session.change(block));
  else
    test(`${name} is saved`, async () => {
      expect(file, 'its first line names the file').not.toBe(undefined);
      await session.save(file ?? '', text);
    });
}

function addToEnvironment(): void {
  const { port } = service.address() as AddressInfo;
  const added = `NTFY_TOPIC=a-topic\nDEAD_MAN_URL=http://127.0.0.1:${port}/dead-man\n`;
  appendFileSync(join(stage.directory, 'my-bot/.env'), added);
}

test('the verdicts that the guide explains are those that a sweep gives', () => {
  const verdicts = readFileSync(join(ROOT, 'src/research/search/verdict.ts'), 'utf8');
  const said = [...textOf(GUIDE).matchAll(/^\| \*([^*]+)\* \| /gm)].map(([, sentence = '']) => sentence);
  expect(said).toHaveLength(5);
  for (const sentence of said) expect(verdicts).toContain(sentence);
});

test('the alerts of the rehearsal reached the phone, and the dead-man service was called', () => {
  // The test message, and the halts that were typed.
  expect(called.ntfy).toBeGreaterThan(1);
  expect(called.deadMan).toBeGreaterThan(0);
});
