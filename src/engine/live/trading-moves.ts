/** Moves between running, reduce-only and halted, by a limit or by an operator; each is journalled at once. */

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

type MovingCommand = Extract<BotCommand, { readonly kind: 'halt' | 'reduceOnly' | 'resume' }>;
type CancelCommand = Extract<BotCommand, { readonly kind: 'cancelAll' }>;

const STATE_OF: Readonly<Record<MovingCommand['kind'], TradingState>> = {
  halt: 'halted',
  reduceOnly: 'reduceOnly',
  resume: 'running',
};

/** Carries out an operator's command. `resume` also resumes strategies that were halted for what they threw. */
export function moveTrading(parts: TradingParts, step: Step, command: MovingCommand | CancelCommand): void {
  if (command.kind === 'cancelAll') return cancelLive(parts, step, command);
  move(parts, step, { to: STATE_OF[command.kind], cause: command.cause, by: command.by });
  if (command.kind === 'resume') resumeStrategies(parts, step);
}

/** Stops trading if a limit on losses is reached. To be called after a result, a restart, or new limits. */
export function applyLossLimits(parts: TradingParts, step: Step): void {
  const asked = parts.ledger.risk.evaluate();
  if (asked !== undefined) move(parts, step, asked);
}

interface Move {
  readonly to: TradingState;
  readonly cause: string;
  readonly by: string;
}

/**
 * Live orders were judged by the rules of before, so a stop of either kind cancels them all, and so does the same stop when it
 * is asked for again. In reduce-only, strategies may then place orders that reduce.
 */
function move({ ledger, log, journal }: TradingParts, step: Step, { to, cause, by }: Move): void {
  const from = ledger.risk.trading;
  if (ledger.risk.moveTrading({ to, cause, by })) {
    log.noted(step.at, { kind: 'trading', from, to, cause, by });
    journal.commit();
  }
  if (to !== 'running') ledger.cancelAll(step);
}

/** Kept as a move of trading to where it is, which every version of the journal reads: a replay cancels there too. */
function cancelLive({ ledger, log, journal }: TradingParts, step: Step, { cause, by }: CancelCommand): void {
  const { trading } = ledger.risk;
  log.noted(step.at, { kind: 'trading', from: trading, to: trading, cause, by });
  journal.commit();
  ledger.cancelAll(step);
}

function resumeStrategies(parts: TradingParts, step: Step): void {
  const { ledger, log } = parts;
  for (const instance of ledger.instances) {
    if (!instance.halted) continue;
    const strategy = ledger.names.strategies[instance.index] ?? instance.plugin.name;
    // Noted before markets are offered, since it may be halted again by that, and the last note counts after a restart.
    log.noted(step.at, { kind: 'strategyLoaded', strategy, sha256: '', cause: 'resume' });
    ledger.resumeStrategy(instance, onThrowIn(parts, step));
    for (const inMarket of instance.inMarkets.values()) step.call(inMarket, 'status');
  }
}
