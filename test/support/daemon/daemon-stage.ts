/** A sandbox with a crowd, and `oddsmith run` on it: as a command in this process, or as a process of its own. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstValueFrom } from 'rxjs';
import { expect, onTestFinished, vi } from 'vitest';
import { stringify } from 'yaml';
import type { Terminal } from '../../../src/app/cli/terminal.ts';
import { runCli } from '../../../src/app/start/cli.ts';
import { RestClient } from '../../../src/betdex/client/rest-client.ts';
import { Random } from '../../../src/core/number/random.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { wallClock } from '../../../src/time/wall-clock.ts';
import { type CrowdedSandbox, openCrowdedSandbox } from '../crowded-sandbox.ts';
import { ordersOfWallet } from '../exchange-orders.ts';
import { obeyingModes } from '../obeying-modes.ts';
import { environmentVariable } from '../record/recording-stage.ts';
import { builtCommand, type RunningCommand, startProcess, watched } from '../running-command.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

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

export interface RunningDaemon extends Pick<RunningCommand, 'said' | 'until' | 'kill'> {
  /** The log's lines so far. */
  lines(): readonly LogWritten[];
  ended(): Promise<number | null>;
}

export interface LogWritten {
  readonly level: string;
  readonly about: string;
  readonly alert?: string;
  readonly msg: string;
  /** Of the daemon's clock, as in ISO 8601. */
  readonly time: string;
}

export interface OrderSeen {
  readonly id: string;
  readonly status: string;
  readonly stake: number;
  readonly reference?: string;
}

type Overrides = Readonly<Record<string, unknown>>;

interface SpawnOptions {
  /** The modes of files can stop it, also where we are root. */
  readonly obeysModes?: boolean;
  /** No file of it may become larger. */
  readonly fileKilobytes?: number;
  /** A module that each of its threads loads before all else. */
  readonly preload?: string;
}

export class DaemonStage {
  readonly directory = temporaryDirectory('run');
  readonly sandbox: Sandbox;
  readonly control: CrowdedSandbox['control'];
  readonly #exchange: CrowdedSandbox;
  readonly #children: RunningCommand[] = [];
  readonly #running: { readonly abort: AbortController; readonly ended: Promise<number> }[] = [];
  /** With the daemon's own key, as a program on another machine would have it. */
  readonly client: RestClient;

  private constructor(exchange: CrowdedSandbox) {
    this.#exchange = exchange;
    this.sandbox = exchange.sandbox;
    this.control = exchange.control;
    const { url: baseUrl, appId, apiKey } = exchange.sandbox;
    const random = Random.fromSeed(1);
    this.client = new RestClient({ baseUrl, credentials: { appId, apiKey }, clock: wallClock, random });
    writeFileSync(this.strategy, RESTER);
  }

  /**
   * For one test, at whose end it is closed. Until then this process knows the variables of its configurations, too. `pace`: orders per
   * second of each of the crowd's markets.
   */
  static async open({ pace = 5 } = {}): Promise<DaemonStage> {
    const stage = new DaemonStage(await openCrowdedSandbox({ pace }));
    for (const [name, value] of Object.entries(stage.environment)) vi.stubEnv(name, value);
    onTestFinished(() => stage.#close());
    return stage;
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
      exchange: {
        url,
        streamUrl,
        appId: environmentVariable('RUN_TEST_APP'),
        apiKey: environmentVariable('RUN_TEST_KEY'),
        ...exchange,
      },
      strategies: [{ file: this.strategy }],
      wallets: { main: { id: environmentVariable('RUN_TEST_WALLET') } },
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

  /** The command as a process. */
  spawn(args: readonly string[], options: SpawnOptions = {}): RunningDaemon {
    const preload = options.preload === undefined ? {} : { NODE_OPTIONS: `--import ${options.preload}` };
    const env = { ...this.environment, ...preload, TMPDIR: this.directory };
    const plain = builtCommand(args);
    const command = options.obeysModes === true ? obeyingModes(plain) : plain;
    const limit = `ulimit -f ${options.fileKilobytes ?? 'unlimited'}; exec "$@"`;
    const child = startProcess(['bash', '-c', limit, 'bash', ...command], { cwd: this.directory, env });
    this.#children.push(child);
    return daemonOf(child);
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
    const kill = (signal: NodeJS.Signals = 'SIGTERM') => {
      if (signal === 'SIGTERM' || signal === 'SIGINT') abort.abort(signal);
      else process.kill(process.pid, signal);
    };
    return daemonOf(watched({ said, code: ended, pid: process.pid, kill }));
  }

  /** `spawn` or `start` of a run, once it trades and has orders at the exchange. */
  async trading(
    how: 'spawn' | 'start',
    more: Overrides = {},
    { exchange, ...options }: SpawnOptions & { readonly exchange?: Overrides } = {},
  ): Promise<RunningDaemon> {
    const args = ['run', this.config(more, exchange), '--json'];
    const daemon = how === 'start' ? this.start(args) : this.spawn(args, options);
    await daemon.until('"to":"trading"');
    await expect.poll(() => this.held().orders).toBeGreaterThan(5);
    return daemon;
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

  async #close(): Promise<void> {
    vi.unstubAllEnvs();
    for (const child of this.#children) child.kill();
    for (const { abort } of this.#running) abort.abort('SIGTERM');
    await Promise.all(this.#running.map(({ ended }) => ended));
    await this.client.close();
    await this.#exchange.close();
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

function daemonOf({ said, until, kill, ended }: RunningCommand): RunningDaemon {
  const lines = () =>
    said.note
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as LogWritten);
  return { said, until, kill, lines, ended: async () => (await ended).code };
}
