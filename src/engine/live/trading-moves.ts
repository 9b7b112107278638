/** Moves between running, reduce-only and halted: by a limit or by an operator, each kept in the journal at once. */

import type { Journal } from '../../core/run/journal.ts';
import type { TradingState } from '../../core/run/trading-state.ts';
import { onThrowIn } from '../halt.ts';
import type { BotCommand } from '../ledger/bot-command.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Turn } from '../ledger/turn.ts';
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
export function moveTrading(parts: TradingParts, turn: Turn, command: TradingCommand): void {
  move(parts, turn, { to: STATE_OF[command.kind], cause: command.cause, by: command.by });
  if (command.kind === 'resume') resumeStrategies(parts, turn);
}

/** What a limit on losses asks for after a result, a restart, or new limits. */
export function obeyLimits(parts: TradingParts, turn: Turn): void {
  const asked = parts.ledger.risk.evaluate();
  if (asked !== undefined) move(parts, turn, asked);
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
function move({ ledger, log, journal }: TradingParts, turn: Turn, { to, cause, by }: Move): void {
  const from = ledger.risk.trading;
  if (ledger.risk.moveTo(to, cause, by)) {
    log.noted(turn.at, { kind: 'trading', from, to, cause, by });
    journal.commit();
  }
  if (to !== 'running') ledger.cancelAll(turn);
}

function resumeStrategies(parts: TradingParts, turn: Turn): void {
  const { ledger, log } = parts;
  for (const seat of ledger.seats) {
    if (!seat.halted) continue;
    const strategy = ledger.names.strategies[seat.index] ?? seat.plugin.name;
    // Told first: it may be halted anew while markets are offered to it, and what is told last holds after a restart.
    log.noted(turn.at, { kind: 'strategyLoaded', strategy, sha256: '', cause: 'resume' });
    ledger.resumeStrategy(seat, onThrowIn(parts, turn));
    for (const runtime of seat.runtimes.values()) turn.call(runtime, 'status');
  }
}
