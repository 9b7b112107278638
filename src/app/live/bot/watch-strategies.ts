/** What a daemon does about a strategy that does not return from a call: the daemon ends, and the next start halts the strategy. */

import { type StuckParts, stuckParts } from '../../../loader/stuck-error.ts';
import type { Inquiry } from '../../../loader/stuck-strategy.ts';
import { findStuck } from '../../../loader/stuck-strategy.ts';
import { CliError, EXIT } from '../../cli/cli-error.ts';
import type { RunOptions } from '../../run/run-options.ts';
import type { StartedStrategy } from '../../run/strategy-instances.ts';
import type { DaemonHooks } from '../process/daemon-hooks.ts';
import type { RunDirectory } from '../process/run-directory.ts';
import { keepStuck } from '../process/stuck-file.ts';

interface Watched {
  readonly options: RunOptions;
  readonly hooks: DaemonHooks;
  readonly directory: RunDirectory;
  readonly started: readonly StartedStrategy[];
}

/** A strategy has at most this time while a signal waits, which cannot be handled before the strategy returns. */
const UNHEARD_MS = 1_000;

/** While an endless loop runs, this process can cancel nothing: the exchange does, when the heartbeat lapses, or the next start. */
export function watchStrategies({ options, hooks, directory, started }: Watched): void {
  const limitMs = options.strategyTimeoutMs;
  const consequence = consequenceFor(options);
  const strategies = started.map(({ name, loaded }) => ({ name, file: loaded.file }));
  const { source } = hooks;
  const plan = {
    limitMs,
    strategies,
    consequence,
    exitCode: EXIT.stuck,
    stuckFile: directory.stuckFile,
    // The thread cannot send anything then.
    ...(options.alerts !== undefined && source !== undefined && { lastWord: source }),
  };
  hooks.thread?.watch(plan, (inquiry) => {
    const parts = partsOf(inquiry, started, { limitMs, consequence });
    if (parts === undefined) return undefined;
    keepStuck(directory.stuckFile, { strategy: parts.strategy, details: `${parts.where}\n${parts.why}` });
    hooks.log.alert('STRATEGY_STUCK', parts.what, { strategy: parts.strategy, where: parts.where });
    throw new CliError(parts, EXIT.stuck);
  });
}

function partsOf(
  inquiry: Inquiry,
  started: readonly StartedStrategy[],
  { limitMs, consequence }: { readonly limitMs: number; readonly consequence: string },
): (StuckParts & { readonly strategy: string }) | undefined {
  const found = findStuck(
    inquiry,
    started.map(({ loaded }) => loaded),
  );
  const strategy = started[found?.instance ?? -1]?.name;
  if (found === undefined || strategy === undefined) return undefined;
  const hasMs = inquiry.reason === 'unheard' ? Math.min(limitMs, UNHEARD_MS) : limitMs;
  const { place, stack } = found;
  return { strategy, ...stuckParts({ name: strategy, place, stack, limitMs: hasMs, consequence }) };
}

function consequenceFor({ mode, settings }: RunOptions): string {
  const ends = 'The daemon ends, and the next start goes on with that strategy halted.';
  if (mode === 'paper') return ends;
  const cancels = 'Live orders of it are cancelled by the next start';
  if (settings.heartbeat === undefined) return `${ends} ${cancels}, and by nobody before.`;
  return `${ends} ${cancels}, or by the exchange when the heartbeat lapses (${settings.heartbeat.timeoutMs / 1000} s).`;
}
