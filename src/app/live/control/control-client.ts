/** The client's side of the control socket: sends one request to a running daemon and waits for its reply. */

import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { named } from '../../../recording/tape/path-kind.ts';
import { CliError } from '../../cli/cli-error.ts';
import {
  CONTROL_SOCKET,
  type ControlReply,
  type ControlRequest,
  type EndedReply,
  LINE_MAX,
  PROCESS_FILE,
  readReply,
} from './control-protocol.ts';
import { markOfFile, waitUntilGone } from './process-mark.ts';

/** A healthy daemon replies within milliseconds. */
const ANSWER_MS = 5_000;
/** How long a process may take to be gone after its run has ended: alerts that cannot be delivered hold it up by three seconds. */
const GONE_MS = 15_000;
/** Far above the status of a run with thousands of markets. */
const ANSWER_MAX = 64 * LINE_MAX;

/**
 * Returns the last reply. After `heard` (the request was received) it waits as long as the daemon lives.
 * @throws CliError DAEMON_NOT_RUNNING, DAEMON_NOT_ANSWERING, CONTROL_REFUSED
 */
export function askDaemon(dir: string, request: ControlRequest): Promise<ControlReply> {
  const path = join(dir, CONTROL_SOCKET);
  if (named(path).kind !== 'socket') return Promise.reject(notRunning(dir));
  return new Promise((done, failed) => {
    const socket = connect(path);
    let end: ControlReply | undefined;
    const fail = (error: CliError): void => {
      socket.destroy();
      failed(error);
    };
    socket.setEncoding('utf8');
    socket.setTimeout(ANSWER_MS, () => fail(notAnswering(dir, `It said nothing for ${ANSWER_MS / 1_000} s.`)));
    socket.once('connect', () => socket.write(`${JSON.stringify(request)}\n`));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (end === undefined) fail(connectError(dir, error));
      else done(end);
    });
    socket.once('end', () => {
      if (end === undefined) return fail(notAnswering(dir, 'It ended without an answer.'));
      socket.destroy();
      done(end);
    });
    let received = '';
    socket.on('data', (piece: string) => {
      received += piece;
      if (received.length > ANSWER_MAX) return fail(notAnswering(dir, 'Its answer has no end.'));
      const lines = received.split('\n');
      received = lines.pop() ?? '';
      for (const line of lines) {
        const reply = readReply(line);
        if (reply === undefined) return fail(notAnswering(dir, 'What it said is no answer that this version knows.'));
        if (reply.kind === 'heard') socket.setTimeout(0);
        else if (reply.kind === 'refused') return fail(refused(reply, dir));
        else if (reply.kind === 'ended') {
          // The daemon closes its socket last of all, so that a client that waited may start the next daemon then.
          end = reply;
        } else {
          socket.end();
          return done(reply);
        }
      }
    });
  });
}

/**
 * After a run has ended, its process still sends what it has to say and closes the rest. @throws CliError DAEMON_STILL_RUNS where it is
 * not gone after `limitMs`
 */
export async function processGone(dir: string, { end, process: mark }: EndedReply, limitMs = GONE_MS): Promise<void> {
  // A run inside of the very process that asks, as in a test, does not end with it.
  if (mark === undefined || mark.pid === process.pid || (await waitUntilGone(mark, limitMs))) return;
  throw new CliError({
    code: 'DAEMON_STILL_RUNS',
    what: `The run has ended, and its process ${mark.pid} still runs after ${limitMs / 1_000} s.`,
    where: resolve(dir),
    why: `The run ended with exit code ${end.exitCode} (${end.cause}), ${end.liveOrders} live orders left. Nothing is traded any more, and its journal is closed.`,
    next: `See its log. To end it: kill -KILL ${mark.pid}.`,
  });
}

function connectError(dir: string, error: NodeJS.ErrnoException): CliError {
  if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') return notRunning(dir);
  if (error.code !== 'EACCES' && error.code !== 'EPERM') return notAnswering(dir, error.message);
  return new CliError({
    code: 'CONTROL_REFUSED',
    what: 'The control socket may be opened by its owner alone.',
    where: resolve(dir, CONTROL_SOCKET),
    next: 'Run the command as the user who runs the daemon.',
  });
}

function notRunning(dir: string): CliError {
  return new CliError({
    code: 'DAEMON_NOT_RUNNING',
    what: 'No daemon runs on this state directory.',
    where: resolve(dir),
    why: 'There is no control socket, or nobody listens on it: the daemon was not started, has ended, or was killed.',
    next: 'Start it: oddsmith run CONFIG. Or name the configuration, or the --dir, of the one that runs; oddsmith status --dir runs lists all below a directory.',
  });
}

function notAnswering(dir: string, why: string): CliError {
  const pid = markOfFile(join(dir, PROCESS_FILE))?.pid;
  return new CliError({
    code: 'DAEMON_NOT_ANSWERING',
    what: pid === undefined ? 'The daemon does not answer.' : `The daemon (process ${pid}) does not answer.`,
    where: resolve(dir),
    why,
    next: `See its log. To end it: ${killed('TERM', pid)}, then ${killed('KILL', pid)}; its heartbeat lapses and the exchange cancels.`,
  });
}

function killed(signal: string, pid: number | undefined): string {
  return pid === undefined ? `kill -${signal}` : `kill -${signal} ${pid}`;
}

const NEXT: Readonly<Record<string, string>> = {
  HALT_FILE: 'Remove the file halt in the state directory, then resume.',
  NO_DASHBOARD: 'Add dashboard: { port: 9465 } to the configuration, and start the run again.',
};

function refused({ code, what }: ControlReply & { kind: 'refused' }, dir: string): CliError {
  const next = NEXT[code] ?? 'See oddsmith status.';
  return new CliError({ code: 'CONTROL_REFUSED', what, where: resolve(dir), why: code, next });
}
