import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SAMPLE_TAPE } from '../support/places.ts';
import { builtCommand, type RunningCommand, startProcess } from '../support/running-command.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import type { SandboxFacts } from '../support/vendor/sandbox-process.ts';
import { run, runUntil } from './fake-terminal.ts';

let directory: string;
const commands: RunningCommand[] = [];
beforeEach(() => {
  directory = temporaryDirectory('sandbox');
});
afterEach(() => {
  for (const command of commands.splice(0)) command.kill();
});

/** The command as a process of its own, in a directory of its own, once it has said where it listens. */
async function serve(...flags: readonly string[]): Promise<RunningCommand> {
  const words = builtCommand(['sandbox', '--port', '0', ...flags]);
  const command = startProcess(words, { cwd: directory, env: { ODDSMITH_CHECK_ANSWERS: '1' } });
  commands.push(command);
  await command.until(/}\n$|Ctrl-C ends it\.\n$/);
  return command;
}

async function ask(
  words: Pick<SandboxFacts, 'url' | 'appId' | 'apiKey'>,
  path: string,
): Promise<Record<string, unknown>> {
  const { url, appId, apiKey } = words;
  const headers = { 'content-type': 'application/json' };
  const login = await fetch(`${url}/sessions`, { method: 'POST', headers, body: JSON.stringify({ appId, apiKey }) });
  expect(login.status).toBe(200);
  const { sessions } = (await login.json()) as { sessions: { accessToken: string }[] };
  const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${sessions[0]?.accessToken}` } });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Record<string, unknown>;
}

describe('as a process', () => {
  test('prints where it listens and with which keys, answers, and ends well on SIGTERM', async () => {
    const served = await serve('--memory', '--crowd');
    const value = (label: string): string =>
      new RegExp(`^${label} +(\\S+)`, 'm').exec(served.said.out)?.[1] ??
      expect.fail(`no ${label} in ${served.said.out}`);
    const words = { url: value('base URL'), appId: value('app id'), apiKey: value('API key') };
    expect(words.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(value('stream')).toBe(`${words.url.replace('http', 'ws')}/`);
    expect(value('wallet id')).toBe(`${words.appId}-User-1`);
    expect(served.said.out).toContain(
      `curl -s ${words.url}/sessions -H 'content-type: application/json' -d '{"appId":"`,
    );
    const { wallets } = await ask(words, `/wallets/${value('wallet id')}`);
    expect(wallets).toHaveLength(1);
    const { events } = await ask(words, '/events?active=true&size=2000');
    expect((events as { code: string }[]).filter(({ code }) => code.startsWith('CROWD-')).length).toBe(6);
    const control = await fetch(`${words.url}/control/state`, {
      headers: { authorization: `Bearer ${value('control key')}` },
    });
    expect(control.status).not.toBe(401);
    served.kill('SIGTERM');
    expect(await served.ended).toMatchObject({ code: 0, note: '' });
    expect(readdirSync(directory)).toEqual([]);
  });

  test('with --json prints one object; its world survives a restart, its keys do not; Ctrl-C is 130', async () => {
    const first = await serve('--json', '--tape', SAMPLE_TAPE, '--speed', '50');
    const printed = first.said.out;
    const words = JSON.parse(printed) as SandboxFacts;
    expect(words).toMatchObject({ command: 'sandbox', tapes: [SAMPLE_TAPE], speed: 50, crowd: false, seed: 1 });
    const { wallet } = await ask(words, `/faucet?walletId=${words.walletId}&currencyId=USDC`);
    const { balances } = wallet as { balances: { balance: number }[] };
    expect(balances[0]?.balance).toBe(11_000);
    first.kill('SIGINT');
    expect(await first.ended).toMatchObject({ code: 130, out: printed, note: '' });
    expect(readdirSync(join(directory, 'runs'))).toEqual(['sandbox.world']);

    const again = JSON.parse((await serve('--json')).said.out) as SandboxFacts;
    expect(again).toMatchObject({ appId: words.appId, walletId: words.walletId, state: { isNew: false } });
    expect(again.apiKey).not.toBe(words.apiKey);
    const { wallets } = await ask(again, `/wallets/${words.walletId}`);
    expect(wallets).toMatchObject([{ balances: [{ balance: 11_000 }] }]);
    const { markets } = await ask(again, '/markets?size=2000');
    expect((markets as { name: string }[]).map(({ name }) => name)).toContain('Invented Song Contest: winner');
  });
});

describe("as a process with Betfair's API", () => {
  test('prints its authority, by which a client trusts it, and keeps its world', async () => {
    const served = await serve(
      '--betfair',
      '--account',
      'mary:EUR:old-fields:2.5%',
      '--fault',
      '{"kind":"error","code":"TEMPORARY_BAN_TOO_MANY_REQUESTS","count":1}',
      '--report',
      'verdict.html',
      '--json',
    );
    const { face, url, authorityFile, state } = JSON.parse(served.said.out);
    expect([face, state.isNew]).toEqual(['betfair', true]);
    const ca = readFileSync(join(directory, authorityFile), 'utf8');
    const login = (): Promise<string> =>
      new Promise((resolve, reject) => {
        const options = { ca, method: 'POST', headers: { 'x-application': 'app' } };
        const sent = request(`${url}/api/login`, options, (answer) =>
          answer.on('data', (chunk) => resolve(String(chunk))),
        );
        sent.on('error', reject);
        sent.end('username=mary&password=secret');
      });
    expect(JSON.parse(await login())).toMatchObject({ error: 'TEMPORARY_BAN_TOO_MANY_REQUESTS' });
    expect(JSON.parse(await login())).toMatchObject({ status: 'SUCCESS', product: 'app' });
    served.kill('SIGTERM');
    const ended = await served.ended;
    expect(ended).toMatchObject({ code: 0, note: '' });
    expect(readFileSync(join(directory, 'verdict.html'), 'utf8')).toContain('10,000.00');
    const { accounts } = JSON.parse(ended.out.trim().split('\n').at(-1) ?? '');
    expect(accounts).toMatchObject([{ username: 'mary', currency: 'EUR', availableToBetBalance: 10_000 }]);
    expect(readdirSync(join(directory, 'runs')).sort()).toEqual(['betfair-ca.crt', 'betfair-ca.key', 'betfair.world']);
  });
});

describe('in the terminal', () => {
  test('explains itself with an example', async () => {
    const { code, out } = await run('sandbox', '--help');
    expect(code).toBe(0);
    for (const flag of ['--port', '--host', '--tape', '--speed', '--crowd', '--memory', '--state', '--seed', '--rate'])
      expect(out).toContain(flag);
    expect(out).toMatch(/\$ .*oddsmith (?:-- )?sandbox --crowd/);
  });

  test.each([
    ['a port that is none', ['--port', '65536'], 2, 'USAGE'],
    ['a speed that is none', ['--tape', SAMPLE_TAPE, '--speed', '0'], 2, 'USAGE'],
    ['a speed without a tape', ['--memory', '--speed', '2'], 2, 'USAGE'],
    ['the same tape twice', ['--memory', '--tape', SAMPLE_TAPE, '--tape', SAMPLE_TAPE], 2, 'USAGE'],
    ["a rate for Betfair's API", ['--betfair', '--memory', '--rate', '5'], 2, 'USAGE'],
    ["an account without Betfair's API", ['--memory', '--account', 'mary:EUR'], 2, 'USAGE'],
    ["a report without Betfair's API", ['--memory', '--report', 'x.html'], 2, 'USAGE'],
    ['an account without terms', ['--betfair', '--memory', '--account', 'mary'], 2, 'USAGE'],
    ['an account in no currency', ['--betfair', '--memory', '--account', 'mary:XYZ'], 2, 'USAGE'],
    ['a discount of more than all', ['--betfair', '--memory', '--account', 'mary:101%'], 2, 'USAGE'],
    ['arrivals without that API', ['--memory', '--arrivals', 'a.log'], 2, 'USAGE'],
    ['arrivals of a world that goes on', ['--betfair', '--state', SAMPLE_TAPE, '--arrivals', 'a.log'], 2, 'USAGE'],
    ['arrivals in a file that is there', ['--betfair', '--memory', '--arrivals', SAMPLE_TAPE], 2, 'USAGE'],
    ['a replay of what are no arrivals', ['--betfair', '--replay', SAMPLE_TAPE], 2, 'USAGE'],
    ['a fault that is no object', ['--memory', '--fault', '503'], 2, 'USAGE'],
    ['a fault that it has not', ['--memory', '--port', '0', '--fault', '{"kind":"report"}'], 2, 'USAGE'],
    ['a state that is not kept', ['--memory', '--state', 'x.world'], 2, 'USAGE'],
    ['a tape that is not there', ['--memory', '--tape', 'nowhere.tape'], 5, 'TAPE_NOT_FOUND'],
    ['a tape that is none', ['--memory', '--tape', fileURLToPath(import.meta.url)], 5, 'NOT_A_TAPE'],
    ['a state that is no world', ['--port', '0', '--state', SAMPLE_TAPE], 5, 'NOT_A_WORLD_LOG'],
    ['an address of another machine', ['--memory', '--port', '0', '--host', '192.0.2.1'], 2, 'ADDRESS_NOT_AVAILABLE'],
  ])('refuses %s', async (_name, flags, exitCode, errorCode) => {
    const { code, out, note } = await run('sandbox', ...flags);
    expect({ code, out }).toEqual({ code: exitCode, out: '' });
    expect(note).toMatch(new RegExp(`^error ${errorCode}  .*\n`));
    const json = await run('sandbox', ...flags, '--json');
    expect(JSON.parse(json.out)).toMatchObject({ error: { code: errorCode } });
  });

  test('says which port is taken', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const { code, note } = await run('sandbox', '--memory', '--port', String(port));
    expect(code).toBe(2);
    expect(note).toContain(`error PORT_IN_USE  Something listens on port ${port} already.`);
    await new Promise((resolve) => server.close(resolve));
  });

  test('warns where it can be reached from elsewhere', async () => {
    const abort = new AbortController();
    const running = runUntil(abort.signal, ['sandbox', '--memory', '--port', '0', '--host', '0.0.0.0']);
    setTimeout(() => abort.abort('SIGTERM'), 1_500);
    const { code, note, out } = await running;
    expect(code).toBe(0);
    expect(note).toMatch(/^Listening on 0\.0\.0\.0: whoever can reach this machine/);
    expect(out).toContain('in memory, gone at the end');
  });
});
