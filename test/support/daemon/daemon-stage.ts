/** A sandbox with a crowd, and `oddsmith run` on it: as a command in this process, or as a process of its own. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { firstValueFrom } from 'rxjs';
import { stringify } from 'yaml';
import type { Terminal } from '../../../src/app/cli/terminal.ts';
import { runCli } from '../../../src/app/cli.ts';
import { RestClient } from '../../../src/betdex/client/rest-client.ts';
import { Random } from '../../../src/core/number/random.ts';
import { openSandbox, type Sandbox } from '../../../src/sandbox/sandbox.ts';
import { startCrowd } from '../../../src/sandbox/traffic/crowd.ts';
import type { Traffic } from '../../../src/sandbox/traffic/traffic.ts';
import { wallClock } from '../../../src/time/wall-clock.ts';
import { ordersOfWallet } from '../exchange-orders.ts';
import { obeyingModes } from '../obeying-modes.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const ENTRY = ['--conditions=oddsmith-source', join(root, 'src/app/main.ts')];

/** One order in each market at a price that will never match: it rests until it is cancelled. */
export const RESTER = `import { back, defineStrategy, param } from 'oddsmith';
export default defineStrategy({
  name: 'rester',
  params: { stake: param.stake({ default: 2 }) },
  decide({ market, orders, params }) {
    const [outcome] = market.outcomes;
    if (!market.tradable || market.inPlay || outcome === undefined || orders.length > 0) return [];
    return [back(outcome, { stake: params.stake, price: 1000 })];
  },
});
`;

export interface RunningDaemon {
  /** As if that signal came. */
  kill(signal: NodeJS.Signals): void;
  /** All that it wrote so far. */
  readonly said: { readonly out: string; readonly note: string };
  /** The log's lines so far. */
  lines(): readonly LogWritten[];
  /** Resolves when it has written a line like this; rejects when it ends before. */
  until(what: string | RegExp, timeoutMs?: number): Promise<void>;
  ended(): Promise<number | null>;
}

export interface LogWritten {
  readonly level: string;
  readonly about: string;
  readonly alert?: string;
  readonly msg: string;
}

export interface OrderSeen {
  readonly id: string;
  readonly status: string;
  readonly stake: number;
  readonly reference?: string;
}

type Overrides = Readonly<Record<string, unknown>>;

export class DaemonStage {
  readonly directory = mkdtempSync(join(tmpdir(), 'oddsmith-run-'));
  readonly sandbox: Sandbox;
  readonly #crowd: Traffic;
  readonly #bugs: unknown[];
  readonly #children: ChildProcess[] = [];
  readonly #running: { readonly abort: AbortController; readonly ended: Promise<number> }[] = [];
  /** With the daemon's own key, as a program on another machine would have it. */
  readonly client: RestClient;

  private constructor(sandbox: Sandbox, crowd: Traffic, bugs: unknown[]) {
    this.sandbox = sandbox;
    this.#crowd = crowd;
    this.#bugs = bugs;
    const { url: baseUrl, appId, apiKey } = sandbox;
    const random = Random.fromSeed(1);
    this.client = new RestClient({ baseUrl, credentials: { appId, apiKey }, clock: wallClock, random });
    writeFileSync(this.strategy, RESTER);
  }

  static async open(): Promise<DaemonStage> {
    const bugs: unknown[] = [];
    const onBug = (error: unknown): void => {
      bugs.push(error);
    };
    const sandbox = await openSandbox({ clock: wallClock, version: '0.0.0', checksAnswers: true, onBug });
    return new DaemonStage(sandbox, startCrowd(sandbox.context, { seed: 7, pace: 5, markets: 3, onBug }), bugs);
  }

  get strategy(): string {
    return join(this.directory, 'rester.ts');
  }

  get dir(): string {
    return join(this.directory, 'run');
  }

  get environment(): Readonly<Record<string, string>> {
    const { appId, apiKey, walletId } = this.sandbox;
    return { RUN_TEST_APP: appId, RUN_TEST_KEY: apiKey, RUN_TEST_WALLET: walletId };
  }

  /** Writes a configuration that reads fast; its path. Blocks of `more` replace those of the same name. */
  config(more: Overrides = {}, exchange: Overrides = {}): string {
    const path = join(this.directory, 'run.yaml');
    const { url, streamUrl } = this.sandbox;
    const all = {
      exchange: { url, streamUrl, appId: reference('RUN_TEST_APP'), apiKey: reference('RUN_TEST_KEY'), ...exchange },
      strategies: [{ file: this.strategy }],
      wallets: { main: { id: reference('RUN_TEST_WALLET') } },
      feeds: {
        markets: { mode: 'poll', everyMs: 300 },
        prices: { mode: 'adaptive', everyMs: 300, urgentMs: 100 },
        orders: { mode: 'poll', everyMs: 150 },
        wallets: { mode: 'poll', everyMs: 500 },
      },
      requestsPerSecond: 200,
      limits: { ordersPerSecond: 500 },
      heartbeat: { timeoutMs: 10_000 },
      reconcile: { everyMs: 1_000 },
      end: { orders: 'cancel', deadlineMs: 10_000 },
      margins: { tickMs: 50 },
      dir: this.dir,
      ...more,
    };
    writeFileSync(path, stringify(all));
    return path;
  }

  /**
   * The command as a process. `obeysModes`: the modes of files can stop it, also where we are root.
   * `fileKilobytes`: no file of it may become larger. `preload`: a module that each of its threads loads before all else.
   */
  spawn(
    args: readonly string[],
    options: { readonly obeysModes?: boolean; readonly fileKilobytes?: number; readonly preload?: string } = {},
  ): RunningDaemon {
    const preload = options.preload === undefined ? {} : { NODE_OPTIONS: `--import ${options.preload}` };
    const env = { ...process.env, ...this.environment, ...preload, TMPDIR: this.directory };
    const plain = [process.execPath, ...ENTRY, ...args];
    const command = options.obeysModes === true ? obeyingModes(plain) : plain;
    const limit = `ulimit -f ${options.fileKilobytes ?? 'unlimited'}; exec "$@"`;
    const child = spawn('bash', ['-c', limit, 'bash', ...command], { cwd: this.directory, env });
    this.#children.push(child);
    const said = { out: '', note: '' };
    child.stdout.on('data', (piece: Buffer) => {
      said.out += piece.toString();
    });
    child.stderr.on('data', (piece: Buffer) => {
      said.note += piece.toString();
    });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    return watched({ said, ended, kill: (signal) => void child.kill(signal) });
  }

  /** The command in this process, which is quicker: SIGTERM and SIGINT are its alone. */
  start(args: readonly string[]): RunningDaemon {
    const abort = new AbortController();
    const said = { out: '', note: '' };
    const terminal: Terminal = {
      ...{ interactive: false, colourOut: false, colourNote: false, width: 100, signal: abort.signal },
      out: (text) => {
        said.out += text;
      },
      outAll: () => Promise.reject(new Error('a run prints little')),
      note: (text) => {
        said.note += text;
      },
    };
    const ended = runCli(args, terminal);
    this.#running.push({ abort, ended });
    const kill = (signal: NodeJS.Signals) => {
      if (signal === 'SIGTERM' || signal === 'SIGINT') abort.abort(signal);
      else process.kill(process.pid, signal);
    };
    return watched({ said, ended, kill });
  }

  /** All orders that the exchange ever had from us. */
  async orders(): Promise<readonly OrderSeen[]> {
    const query = { walletIds: [this.sandbox.walletId], size: 500 };
    const outcome = await firstValueFrom(this.client.call('listOrders', { query }));
    if (outcome.kind !== 'answered') throw new Error(JSON.stringify(outcome));
    return outcome.answer.orders.map(({ id, status, stake, reference: ref }) => ({
      ...{ id, status, stake },
      ...(ref === undefined ? {} : { reference: ref }),
    }));
  }

  /** What the exchange's own books hold of ours now: orders that may still match, and their unmatched stake. */
  held(): { readonly orders: number; readonly stake: number } {
    return heldIn(this.sandbox);
  }

  async live(): Promise<number> {
    return (await this.orders()).filter(({ status }) => LIVE.has(status)).length;
  }

  async control(method: string, path: string, body?: object): Promise<unknown> {
    const { url, controlKey } = this.sandbox;
    const answer = await fetch(`${url}/control${path}`, {
      method,
      headers: {
        authorization: `Bearer ${controlKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  async close(): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL');
    for (const { abort } of this.#running) abort.abort('SIGTERM');
    await Promise.all(this.#running.map(({ ended }) => ended));
    this.#crowd.stop();
    await this.client.close();
    await this.sandbox.close();
    rmSync(this.directory, { recursive: true, force: true });
    if (this.#bugs.length > 0) throw this.#bugs[0];
  }
}

/** Number and stake of the live orders in any sandbox's demo wallet. */
export function heldIn({ context: { world }, walletId }: Sandbox): { readonly orders: number; readonly stake: number } {
  const wallet = world.registry.walletById(walletId);
  if (wallet === undefined) throw new Error('the sandbox has no such wallet');
  const live = ordersOfWallet(world.exchange, wallet.wallet).filter(({ status }) => LIVE.has(status));
  return { orders: live.length, stake: live.reduce((sum, { stakeUnmatched }) => sum + stakeUnmatched, 0) / 1e6 };
}

const LIVE: ReadonlySet<string> = new Set(['Pending', 'Unmatched', 'PartiallyMatched']);

interface Watched {
  readonly said: RunningDaemon['said'];
  readonly ended: Promise<number | null>;
  readonly kill: (signal: NodeJS.Signals) => void;
}

function watched({ said, ended, kill }: Watched): RunningDaemon {
  const lines = () =>
    said.note
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as LogWritten);
  return {
    ...{ said, lines, kill },
    ended: () => ended,
    until: (what, timeoutMs = 20_000) =>
      new Promise((resolve, reject) => {
        const isThere = () => (typeof what === 'string' ? said.note.includes(what) : what.test(said.note));
        const look = setInterval(() => {
          if (isThere()) done(resolve);
        }, 20);
        const timeout = setTimeout(() => done(() => reject(new Error(`no ${what} in: ${said.note}`))), timeoutMs);
        const done = (end: () => void) => {
          clearInterval(look);
          clearTimeout(timeout);
          end();
        };
        void ended.then((code) => done(isThere() ? resolve : () => reject(new Error(`ended ${code}: ${said.note}`))));
      }),
  };
}

export function pass(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** As a configuration names an environment variable. */
function reference(name: string): string {
  return ['$', '{', name, '}'].join('');
}
