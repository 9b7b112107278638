/** One live run an app at a time on this machine: a name that the system holds for as long as its process lives. */

import { createHash } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { mkdirSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { homedir, networkInterfaces, platform } from 'node:os';
import { join } from 'node:path';
import type { ExchangeIdentity } from '../../../exchange-live/adapter/exchange.ts';
import { JournalFailure } from '../../../journal/file/journal-failure.ts';
import { lockJournal } from '../../../journal/file/journal-lock.ts';
import { CliError } from '../../cli/cli-error.ts';

/** The app whose heartbeat it is: the exchange has one heartbeat for each app, for all wallets that its runs trade with. */
type LeasedApp = Pick<ExchangeIdentity, 'url' | 'owner'>;

export interface LeaseHolder {
  readonly pid: number;
  readonly run: string;
  /** Its state directory. */
  readonly dir: string;
  /** ms UTC. */
  readonly since: number;
}

export interface AppLease {
  release(): void;
}

/** How long to wait for an answer: a holder that is stopped, or busy, does not say who it is. */
const ANSWER_MS = 1_000;
const ANSWER_MAX = 4_096;
/** How often to try again if the holder ended while it was asked. */
const TRIES = 3;

/**
 * Held until it is released or the process is gone, however it ends; a stopped process still holds it. It is not a file, so it cannot
 * be removed, and it holds for all users of the machine. Systems without such names have a locked file in the user's home instead.
 * @throws CliError HEARTBEAT_OWNED
 */
export async function leaseApp(app: LeasedApp, holder: LeaseHolder): Promise<AppLease> {
  if (platform() !== 'linux') return leaseByFile(app, await leaseName(app));
  const path = `\0${await leaseName(app)}`;
  for (let left = TRIES; ; left -= 1) {
    const lease = await hold(path, holder);
    if (lease !== undefined) return lease;
    const other = await ask(path);
    if (other !== 'nobody' || left === 1) throw owned(app, other === 'nobody' ? undefined : other);
  }
}

/**
 * It is of the app, at whichever of its names the exchange is addressed. Two exchanges may know apps of one id: what tells them apart is
 * host and port. Every name of this machine is one host.
 */
async function leaseName({ url, owner }: LeasedApp): Promise<string> {
  const { hostname, port, protocol } = new URL(url);
  const host = (await isOwn(hostname)) ? 'this machine' : hostname.replace(/\.$/, '');
  const key = `${host}:${port || (/^(https|wss):$/.test(protocol) ? '443' : '80')} ${owner.name}`;
  return `oddsmith-app-${createHash('sha256').update(key).digest('hex').slice(0, 40)}`;
}

/** Whether a name or an address is this machine's. A name that cannot be found now is not: a sandbox on this machine is always found. */
async function isOwn(hostname: string): Promise<boolean> {
  const found = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => []);
  const own = new Set(Object.values(networkInterfaces()).flatMap((each = []) => each.map(({ address }) => address)));
  return found.some(({ address }) => /^(127\.|0\.0\.0\.0$|::1?$)/.test(address) || own.has(address));
}

/** Undefined if another process holds it. */
function hold(path: string, holder: LeaseHolder): Promise<AppLease | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      // The process that asked has gone away: nothing can be sent to it.
      socket.on('error', () => socket.destroy());
      socket.end(JSON.stringify(holder));
    });
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    );
    server.listen({ path }, () => {
      server.unref();
      resolve({ release: () => void server.close() });
    });
  });
}

/** Who holds it: `nobody` if it was released meanwhile, undefined if the holder does not say. */
function ask(path: string): Promise<LeaseHolder | 'nobody' | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ path });
    let heard = '';
    const done = (who: LeaseHolder | 'nobody' | undefined): void => {
      socket.destroy();
      resolve(who);
    };
    socket.setEncoding('utf8');
    socket.setTimeout(ANSWER_MS, () => done(undefined));
    socket.on('data', (piece: string) => {
      heard += piece;
      if (heard.length > ANSWER_MAX) done(undefined);
    });
    socket.on('end', () => done(readHolder(heard)));
    socket.on('error', (error: NodeJS.ErrnoException) => done(error.code === 'ECONNREFUSED' ? 'nobody' : undefined));
  });
}

function readHolder(text: string): LeaseHolder | undefined {
  try {
    const { pid, run, dir, since }: Partial<Record<keyof LeaseHolder, unknown>> = Object(JSON.parse(text));
    if (typeof pid !== 'number' || typeof since !== 'number') return undefined;
    return { pid, run: String(run), dir: String(dir), since };
  } catch {
    // The answer is of another program, or cut off: the name is held all the same.
    return undefined;
  }
}

function leaseByFile(app: LeasedApp, name: string): AppLease {
  const folder = join(homedir(), '.local', 'state', 'oddsmith');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    return lockJournal(join(folder, name));
  } catch (error) {
    if (error instanceof JournalFailure && error.code === 'JOURNAL_BUSY') throw owned(app, undefined);
    throw error;
  }
}

function owned({ url, owner: { kind, name } }: LeasedApp, holder: LeaseHolder | undefined): CliError {
  const who =
    holder === undefined
      ? 'A process on this machine that does not answer'
      : `Run ${holder.run} (process ${holder.pid}, ${holder.dir}, since ${new Date(holder.since).toISOString()})`;
  return new CliError({
    code: 'HEARTBEAT_OWNED',
    what: `Another run of this ${kind} is at work on this machine.`,
    where: `${url}, ${kind} ${name}`,
    why: `${who} holds the ${kind}. The exchange keeps one heartbeat an ${kind}: each of two runs would vouch for the other’s orders, or take the watch off them.`,
    next: `Stop that one first, put its strategies and wallets into one configuration, or give this run an ${kind} of its own.`,
  });
}
