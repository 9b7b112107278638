/** Bots that know nothing of the sandbox, run by `sandbox --betfair --exec`: what they send to Betfair's hosts comes to it. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtCommand, startProcess } from '../support/running-command.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const NODE_BOT = `
import https from 'node:https';
const headers = { 'X-Application': 'a', 'content-type': 'application/x-www-form-urlencoded' };
const answer = await fetch('https://identitysso.betfair.com/api/login', { method: 'POST', headers, body: 'username=nora&password=p' });
console.log((await answer.json()).status);
https.get('https://api.betfair.com/exchange/betting/rest/v1/en/navigation/menu.json', (menu) => {
  console.log(menu.statusCode);
  menu.resume();
  process.exitCode = 7;
});
`;

const PYTHON_BOT = `
import json, sys, urllib.request
import own
request = urllib.request.Request('https://identitysso.betfair.com/api/login', b'username=pia&password=p', {'X-Application': 'a'})
print(json.load(urllib.request.urlopen(request))['status'], own.seen)
sys.exit(3)
`;

async function run(directory: string, program: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const args = ['sandbox', '--betfair', '--memory', '--port', '0', '--json', '--exec', '--', ...program];
  const { code, out, note } = await startProcess(builtCommand(args), { cwd: directory, env }).ended;
  const [opened, ended] = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { code, opened, names: ended?.accounts?.map(({ username }: { readonly username: string }) => username), note };
}

test('a bot of Node is redirected and trusts the sandbox, and its exit code is that of the command', async () => {
  const directory = temporaryDirectory('exec');
  writeFileSync(join(directory, 'bot.mjs'), NODE_BOT);
  const { code, opened, names, note } = await run(directory, [process.execPath, 'bot.mjs']);
  expect(note).toContain('SUCCESS\n200\n');
  expect(note).toContain(`the bot has ODDSMITH_BETFAIR_API=${new URL(opened.url).host}\n`);
  expect([code, names]).toEqual([7, ['nora']]);
});

test("a bot of Python too, and the machine's own sitecustomize is run as before", async () => {
  const directory = temporaryDirectory('exec');
  const own = join(directory, 'own');
  mkdirSync(own);
  writeFileSync(join(own, 'own.py'), 'seen = False\n');
  writeFileSync(join(own, 'sitecustomize.py'), 'import own\nown.seen = True\n');
  writeFileSync(join(directory, 'bot.py'), PYTHON_BOT);
  const { code, names, note } = await run(directory, ['python3', 'bot.py'], { PYTHONPATH: own });
  expect(note).toContain('SUCCESS True\n');
  expect([code, names]).toEqual([3, ['pia']]);
});

test('a program that is not there, or stands without its flag, is refused', async () => {
  const directory = temporaryDirectory('exec');
  expect(await run(directory, ['no-such-bot'])).toMatchObject({ code: 2, names: undefined });
  const args = ['sandbox', '--betfair', '--exec'];
  const { code, note } = await startProcess(builtCommand(args), { cwd: directory }).ended;
  expect(note).toContain('Write: sandbox --betfair --exec -- python3 bot.py');
  expect(code).toBe(2);
});
