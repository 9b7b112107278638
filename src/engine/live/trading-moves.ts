/** Moves between running, reduce-only and halted: by a limit or by an operator, each kept in the journal at once. */

import type { Journal } from '../../core/run/journal.ts';
import type { TradingState } from '../../core/run/trading-state.ts';
import { onThrowIn } from '../halt.ts';
import type { BotCommand } from '../ledger/bot-command.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Step } from '../ledger/step.ts';
import type { NoteLog, RunLog } from '../log/run-log.ts';

export interface TradingParts {
  readonly ledger: Ledger;
  readonly log: RunLog & NoteLog;
  readonly journal: Journal;
}

type TradingCommand = Extract<BotCommand, { readonly kind: 'halt' | 'reduceOnly' | 'resume' }>;

const STATE_OF: Readonly<Record<TradingCommand['kind'], TradingState>> = {
  halt: 'halted',
  reduceOnly: 'reduceOnly',
  resume: 'running',
};

/** Resuming also lets strategies go on that were halted for what they threw. */
export function moveTrading(parts: TradingParts, step: Step, command: TradingCommand): void {
  move(parts, step, { to: STATE_OF[command.kind], cause: command.cause, by: command.by });
  if (command.kind === 'resume') resumeStrategies(parts, step);
}

/** What a limit on losses asks for after a result, a restart, or new limits. */
export function obeyLimits(parts: TradingParts, step: Step): void {
  const asked = parts.ledger.risk.evaluate();
  if (asked !== undefined) move(parts, step, asked);
}

interface Move {
  readonly to: TradingState;
  readonly cause: string;
  readonly by: string;
}

/**
 * What is live was judged by other rules, so that a stop of either kind cancels it; asked for again, it cancels again.
 * In reduce-only strategies may place again what reduces.
 */
function move({ ledger, log, journal }: TradingParts, step: Step, { to, cause, by }: Move): void {
  const from = ledger.risk.trading;
  if (ledger.risk.moveTo(to, cause, by)) {
    log.noted(step.at, { kind: 'trading', from, to, cause, by });
    journal.commit();
  }
  if (to !== 'running') ledger.cancelAll(step);
}

function resumeStrategies(parts: TradingParts, step: Step): void {
  const { ledger, log } = parts;
  for (const instance of ledger.instances) {
    if (!instance.halted) continue;
    const strategy = ledger.names.strategies[instance.index] ?? instance.plugin.name;
    // Told first: it may be halted anew while markets are offered to it, and what is told last holds after a restart.
    log.noted(step.at, { kind: 'strategyLoaded', strategy, sha256: '', cause: 'resume' });
    ledger.resumeStrategy(instance, onThrowIn(parts, step));
    for (const inMarket of instance.inMarkets.values()) step.call(inMarket, 'status');
  }
}
