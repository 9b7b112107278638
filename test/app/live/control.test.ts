/** The control socket: who may open it, what it takes, and the error of a command that gets no answer. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { Ajv } from 'ajv';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CliError, type CliErrorParts } from '../../../src/app/cli/cli-error.ts';
import { controlAnswers } from '../../../src/app/live/control/control-answers.ts';
import { askDaemon, processGone } from '../../../src/app/live/control/control-client.ts';
import {
  type ControlRequest,
  type DaemonEnd,
  type DaemonStatus,
  type EndedReply,
  RequestSchema,
} from '../../../src/app/live/control/control-protocol.ts';
import { ControlServer } from '../../../src/app/live/control/control-server.ts';
import { ownMark, waitUntilGone } from '../../../src/app/live/control/process-mark.ts';
import { madeStatus } from '../../support/daemon/made-status.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

let dir = '';
let server: ControlServer;
let status: DaemonStatus;
let asked: string[];
let link: string | undefined;
let end: (end: DaemonEnd) => void;

beforeEach(() => {
  dir = temporaryDirectory('control');
  status = madeStatus();
  asked = [];
  link = undefined;
  server = new ControlServer(join(dir, 'control.sock'));
});
afterEach(async () => {
  end?.({ exitCode: 0, cause: 'over', liveOrders: 0 });
  await server.close();
});

function open(): Promise<void> {
  const ended = new Promise<DaemonEnd>((resolve) => {
    end = resolve;
  });
  const said = (words: string) => asked.push(words);
  return server.open(
    controlAnswers({
      bot: {
        halt: (by, cause) => said(`halt ${by} ${cause}`),
        reduceOnly: (by, cause) => said(`reduceOnly ${by} ${cause}`),
        resume: (by) => said(`resume ${by}`),
        cancelAll: (by, cause) => said(`cancelAll ${by} ${cause}`),
      },
      dashboardLink: () => link,
      watched: () => ({ alerts: 2 }),
      ...{ status: () => status, ended, stop: (orders) => said(`stop ${orders}`), leave: (cause) => said(cause) },
    }),
  );
}

async function faultOf(request: ControlRequest): Promise<CliErrorParts> {
  try {
    await askDaemon(dir, request);
  } catch (error) {
    if (error instanceof CliError) return error.parts;
    throw error;
  }
  return expect.fail('it was answered');
}

const passing = (ms: number) => pass(ms, 'not yet');

/** What the socket writes to raw text, until it closes it. */
function raw(text: string): Promise<string> {
  return new Promise((resolve) => {
    let heard = '';
    const socket = connect(join(dir, 'control.sock'));
    socket.on('data', (piece) => {
      heard += String(piece);
    });
    socket.on('close', () => resolve(heard));
    socket.on('error', () => undefined);
    socket.write(text);
  });
}

test('the schema of requests is one: a daemon that starts takes that for granted', () => {
  const accepts = new Ajv({ strict: false }).compile(RequestSchema);
  expect(accepts({ v: 1, command: 'status' })).toBe(true);
  expect(accepts({ v: 1, command: 'statue' })).toBe(false);
});

describe('a daemon that runs', () => {
  test('answers with its status, and does what it is asked', async () => {
    await open();
    const told = { ...status, alerts: 2 };
    expect(await askDaemon(dir, { v: 1, command: 'status' })).toEqual({ v: 1, kind: 'status', status: told });
    await askDaemon(dir, { v: 1, command: 'halt', reason: 'team news' });
    await askDaemon(dir, { v: 1, command: 'reduceOnly' });
    await askDaemon(dir, { v: 1, command: 'resume' });
    await askDaemon(dir, { v: 1, command: 'cancelAll', reason: 'uneasy' });
    expect(asked).toEqual([
      ...['halt command team news', 'reduceOnly command asked for', 'resume command', 'cancelAll command uneasy'],
    ]);
  });

  test('makes a link to its dashboard, or says that it has none', async () => {
    await open();
    expect(await faultOf({ v: 1, command: 'dashboardLink' })).toMatchObject({ why: 'NO_DASHBOARD' });
    link = 'http://127.0.0.1:9465/#link=secret';
    expect(await askDaemon(dir, { v: 1, command: 'dashboardLink' })).toEqual({ v: 1, kind: 'link', url: link });
  });

  test('has a socket that its owner alone may open, and leaves none behind', async () => {
    await open();
    expect(statSync(join(dir, 'control.sock')).mode & 0o777).toBe(0o600);
    await server.close();
    expect(readdirSync(dir)).toEqual([]);
  });

  test('is waited for by stop until it has closed, and gives its exit', async () => {
    await open();
    let answer: unknown;
    const stopping = askDaemon(dir, { v: 1, command: 'stop', orders: 'keep' }).then((reply) => {
      answer = reply;
    });
    await expect.poll(() => asked).toEqual(['stop keep']);
    end({ exitCode: 3, cause: 'drawdown', liveOrders: 2 });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(answer, 'the daemon still holds its journal').toBeUndefined();
    await server.close();
    await stopping;
    expect(answer).toMatchObject({
      ...{ v: 1, kind: 'ended', end: { exitCode: 3, cause: 'drawdown', liveOrders: 2 } },
      process: { pid: process.pid },
    });
  });

  test('is waited for by stop until its process is gone; after a while it is named', async () => {
    const child = spawn('sleep', ['60']);
    const startedAt = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(' ')[21];
    const of = (more: object): EndedReply => ({
      ...{ v: 1, kind: 'ended', end: { exitCode: 3, cause: 'drawdown', liveOrders: 2 } },
      process: { pid: child.pid ?? 0, startedAt, ...more },
    });
    const still = await processGone(dir, of({}), 60).catch((error: CliError) => error);
    expect(still).toMatchObject({
      ...{
        code: 'DAEMON_STILL_RUNS',
        exitCode: 4,
        where: dir,
        next: expect.stringContaining(`kill -KILL ${child.pid}`),
      },
      what: `The run has ended, and its process ${child.pid} still runs after 0.06 s.`,
      why: expect.stringMatching(/^The run ended with exit code 3 \(drawdown\), 2 live orders left/),
    });
    await processGone(dir, of({ startedAt: '1' }), 60);
    const waiting = processGone(dir, of({}), 10_000).then(() => 'gone');
    expect(await Promise.race([waiting, passing(200)])).toBe('not yet');
    child.kill();
    expect(await Promise.race([waiting, passing(5_000)])).toBe('gone');
  });

  test('counts as gone when it has ended and its parent does not ask', async () => {
    const parent = spawn('bash', ['-c', 'sleep 0.1 & echo $!; exec sleep 60']);
    const pid = Number(await once(parent.stdout, 'data'));
    const startedAt = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[21];
    expect(await waitUntilGone({ pid, startedAt }, 5_000)).toBe(true);
    expect(readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[2], 'it is still in the list').toBe('Z');
    parent.kill();
  });

  test('refuses to resume while the halt file is there, to loosen a halt, and anything at its end', async () => {
    await open();
    status = madeStatus({ trading: 'halted' }, { haltFile: true });
    expect(await faultOf({ v: 1, command: 'resume' })).toMatchObject({ code: 'CONTROL_REFUSED', why: 'HALT_FILE' });
    expect(await faultOf({ v: 1, command: 'reduceOnly' })).toMatchObject({ code: 'CONTROL_REFUSED', why: 'HALTED' });
    status = madeStatus({ phase: 'ending' });
    expect(await faultOf({ v: 1, command: 'halt' })).toMatchObject({ code: 'CONTROL_REFUSED', why: 'ENDING' });
    expect(asked).toEqual([]);
  });

  test.each([
    ['no JSON', 'hello\n', 'one JSON object on one line'],
    ['an unknown command', '{"v":1,"command":"sell"}\n', 'no such command'],
    ['a field too many', '{"v":1,"command":"status","x":1}\n', 'no such command'],
    ['another version', '{"v":2,"command":"status"}\n', 'version 1'],
    ['no end', 'x'.repeat(70_000), 'at most'],
  ])('refuses %s and goes on', async (_, text, words) => {
    await open();
    expect(await raw(text)).toContain(words);
    expect(asked).toEqual([]);
    expect(await askDaemon(dir, { v: 1, command: 'status' })).toMatchObject({ kind: 'status' });
  });

  test('answers requests that come in pieces, and several over one connection', async () => {
    await open();
    const heard = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(join(dir, 'control.sock'));
      socket.on('data', (piece) => {
        text += String(piece);
        if (text.split('\n').length === 3) socket.end();
      });
      socket.on('close', () => resolve(text));
      socket.write('{"v":1,"comm');
      setTimeout(() => socket.write('and":"status"}\n{"v":1,"command":"status"}\n'), 30);
    });
    expect(heard.trimEnd().split('\n')).toHaveLength(2);
  });
});

describe('a daemon that does not answer', () => {
  let other: Server | undefined;
  afterEach(() => {
    other?.close();
    other = undefined;
  });

  test('where no daemon was started', async () => {
    expect(await faultOf({ v: 1, command: 'status' })).toMatchObject({ code: 'DAEMON_NOT_RUNNING', where: dir });
  });

  test('where the daemon was killed: its socket is left, and the next daemon replaces it', async () => {
    const path = join(dir, 'control.sock');
    const killed = createServer();
    await new Promise<void>((resolve) => killed.listen(path, resolve));
    // As kill -9 leaves it: the file stays, but no process listens.
    linkSync(path, `${path}.held`);
    await new Promise((resolve) => killed.close(resolve));
    renameSync(`${path}.held`, path);
    expect(existsSync(path)).toBe(true);
    expect(await faultOf({ v: 1, command: 'status' })).toMatchObject({ code: 'DAEMON_NOT_RUNNING' });
    await open();
    expect(await askDaemon(dir, { v: 1, command: 'status' })).toMatchObject({ kind: 'status' });
  });

  test('where a file lies that is no socket', async () => {
    writeFileSync(join(dir, 'control.sock'), '');
    expect(await faultOf({ v: 1, command: 'status' })).toMatchObject({ code: 'DAEMON_NOT_RUNNING' });
  });

  test('where something listens and says nothing, after 5 s; or nonsense, or hangs up, at once', async () => {
    const path = join(dir, 'control.sock');
    const answers = ['', 'nonsense\n', undefined];
    other = createServer((socket) => {
      const answer = answers.shift();
      if (answer === undefined) socket.end();
      else socket.write(answer);
    });
    await new Promise<void>((resolve) => other?.listen(path, resolve));
    chmodSync(path, 0o600);
    const startedAt = Date.now();
    expect(await faultOf({ v: 1, command: 'status' })).toMatchObject({
      ...{ code: 'DAEMON_NOT_ANSWERING', why: 'It said nothing for 5 s.' },
    });
    expect(Date.now() - startedAt).toBeLessThan(7_000);
    expect((await faultOf({ v: 1, command: 'status' })).why).toMatch(/no answer that this version knows/);
    expect((await faultOf({ v: 1, command: 'status' })).why).toBe('It ended without an answer.');
  });

  test('names the process to end where it is still that process, and no other', async () => {
    const path = join(dir, 'control.sock');
    other = createServer((socket) => socket.end());
    await new Promise<void>((resolve) => other?.listen(path, resolve));
    const answered = () => faultOf({ v: 1, command: 'status' });
    const nobody = {
      what: 'The daemon does not answer.',
      next: expect.stringContaining('kill -TERM, then kill -KILL;'),
    };
    expect(await answered()).toMatchObject(nobody);
    const file = join(dir, 'process.json');
    const { startedAt } = ownMark();
    writeFileSync(file, JSON.stringify({ pid: process.pid, startedAt }));
    const { pid } = process;
    expect(await answered()).toMatchObject({
      what: `The daemon (process ${pid}) does not answer.`,
      next: expect.stringContaining(`kill -TERM ${pid}, then kill -KILL ${pid};`),
    });
    // The number of a process that has ended was given to another one since; a file that was cut off; one that holds nonsense.
    const ended = spawnSync(process.execPath, ['--version']).pid;
    const texts = [{ pid, startedAt: '1' }, { pid: ended, startedAt: '1' }, { pid: -1 }, {}].map((mark) =>
      JSON.stringify(mark),
    );
    for (const text of [...texts, '{"pid":', 'null']) {
      writeFileSync(file, text);
      expect(await answered(), text).toMatchObject(nobody);
    }
  });
});
