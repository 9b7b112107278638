/** Reads again what may change while a run goes on: strategies, limits and signal files. */

import { type FSWatcher, watch } from 'chokidar';
import { type Subscription, timer } from 'rxjs';
import { OddsmithError } from '../../../core/checks/oddsmith-error.ts';
import type { Bot } from '../../../engine/live/bot.ts';
import type { LoadedStrategy } from '../../../loader/strategy-loader.ts';
import type { Limits } from '../../../risk/limits/limits.ts';
import type { Clock } from '../../../time/clock.ts';
import type { RunOptions } from '../../run/run-options.ts';
import {
  type FollowedSignal,
  followSignals,
  loadChoice,
  type StartedStrategy,
  seriesOf,
} from '../../run/strategy-instances.ts';
import { consoleInLog, type DaemonLog } from '../log/daemon-log.ts';

type Instances = Pick<Bot, 'replaceStrategy'>;

interface Waiting {
  readonly loaded: LoadedStrategy;
  readonly signals: readonly FollowedSignal[];
}

/** Editors write a file in several steps: wait for the last one. */
const SETTLE_MS = 100;
const TRY_EVERY_MS = 250;

export class StrategyReload {
  readonly #bot: Instances;
  readonly #log: DaemonLog;
  readonly #started: readonly StartedStrategy[];
  readonly #watcher: FSWatcher;
  readonly #trying: Subscription;
  readonly #waiting = new Map<StartedStrategy, Waiting>();

  constructor(parts: { bot: Instances; log: DaemonLog; started: readonly StartedStrategy[]; clock: Clock }) {
    const { bot, log, started, clock } = parts;
    this.#bot = bot;
    this.#log = log;
    this.#started = started;
    this.#watcher = watch(
      started.flatMap(({ loaded }) => [...loaded.files]),
      { ignoreInitial: true, awaitWriteFinish: { stabilityThreshold: SETTLE_MS, pollInterval: SETTLE_MS / 2 } },
    );
    this.#watcher.on('all', (_, path) => void this.#changed(path));
    this.#watcher.on('error', (error) => this.#fault('the files are not watched any more', error));
    this.#trying = timer(TRY_EVERY_MS, TRY_EVERY_MS, clock).subscribe(() => this.#try());
  }

  async close(): Promise<void> {
    this.#trying.unsubscribe();
    await this.#watcher.close();
  }

  async #changed(path: string): Promise<void> {
    for (const started of this.#started) {
      const files = [...started.loaded.files, ...(this.#waiting.get(started)?.loaded.files ?? [])];
      if (!files.includes(path)) continue;
      try {
        await this.#load(started);
      } catch (error) {
        this.#fault(`${started.name} stays as it was`, error);
      }
    }
  }

  async #load(started: StartedStrategy): Promise<void> {
    const loaded = await loadChoice(started.choice, consoleInLog(this.#log)(started));
    if (loaded.kind === 'fault') {
      const { code, what, file, line, column } = loaded.fault;
      const place = [file, line, column].filter((part) => part !== undefined).join(':');
      return this.#log.alert('STRATEGY_NOT_RELOADED', `${started.name} stays as it was: ${code} ${what} ${place}`);
    }
    if (loaded.plugin.name !== started.loaded.plugin.name)
      return this.#fault(`${started.name} stays as it was`, 'its name changed, which takes a restart');
    this.#watcher.add([...loaded.files]);
    if (loaded.sha256 === started.loaded.sha256) return void this.#waiting.delete(started);
    this.#waiting.set(started, { loaded, signals: followSignals(loaded) });
    this.#log.info('reload', `${started.name} has changed and is seated as soon as it holds nothing`);
  }

  #try(): void {
    for (const [started, { loaded, signals }] of this.#waiting) {
      const { plugin, params, guest } = loaded;
      const version = { plugin, params, guest, signals: seriesOf(signals) };
      if (this.#bot.replaceStrategy(started.instance.index, version, loaded.sha256) === 'notFlat') continue;
      this.#waiting.delete(started);
      started.loaded = loaded;
      started.signals = signals;
    }
  }

  #fault(what: string, error: unknown): void {
    this.#log.alert('STRATEGY_NOT_RELOADED', `${what}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The limits of the configuration as it is now: all of them, or none. Undefined if the configuration is faulty, which is logged. */
export function reloadLimits(
  reload: () => RunOptions,
  { running, log }: { readonly running: RunOptions; readonly log: DaemonLog },
): Limits | undefined {
  try {
    const { limits, sha256 } = reload();
    if (sha256 !== running.sha256)
      log.alert('RESTART_NEEDED', 'more than limits changed in the configuration; the rest takes effect at a restart');
    return limits;
  } catch (error) {
    if (!(error instanceof OddsmithError)) throw error;
    const { code, what, where = '', why = '' } = error.parts;
    log.alert('LIMITS_NOT_RELOADED', `${code} ${what} ${where} ${why}`.trimEnd());
    return undefined;
  }
}

const READ_EVERY_MS = 1_000;

/** Reads the new lines of signal files while a run goes on. */
export function watchSignalFiles(
  started: readonly StartedStrategy[],
  { clock, log }: { readonly clock: Clock; readonly log: DaemonLog },
): Subscription {
  return timer(READ_EVERY_MS, READ_EVERY_MS, clock).subscribe(() => {
    for (const { name, signals } of started) {
      const faults = signals.reduce((sum, signal) => sum + signal.read(), 0);
      if (faults > 0) log.alert('SIGNAL_UNREADABLE', `${faults} lines of the signals of ${name} are no rows`);
    }
  });
}
