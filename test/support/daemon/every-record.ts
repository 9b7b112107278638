/** One journal record of each kind, so that nothing that is journalled can be forgotten where records are read. */

import { tickOfDecimal } from '../../../src/core/number/ladder.ts';
import { money } from '../../../src/core/number/units.ts';
import type { JournalKind, JournalRecord } from '../../../src/core/run/journal.ts';
import type { ReportedOrder, SentOrder } from '../../../src/core/run/kept-order.ts';
import { NO_RISK_MEMORY } from '../../../src/core/run/risk-memory.ts';
import type { RunState } from '../../../src/core/run/run-state.ts';
import { AT } from './made-status.ts';

const stake = money(5_000_000);
const none = money(0);
const tick = tickOfDecimal(2) ?? 0;

const terms: SentOrder = {
  ...{ client: 7, strategy: 's', wallet: 'main', market: '9', marketName: 'Winner', outcome: '91', outcomeTitle: 'A' },
  ...{ side: 'For', tick, stake, keepWhenInPlay: false, matchBehavior: 'RetainUnmatched' },
};
const report: ReportedOrder = {
  ...{ client: 7, order: 70, status: 'Matched', stakeMatched: stake, winningsMatched: stake },
  ...{ stakeUnmatched: none, stakeVoided: none, at: AT },
};
const state: RunState = {
  ...{ run: 'live-1', lastClient: 7, orders: [], results: [], trading: 'running', tradingCause: '' },
  ...{ haltedStrategies: [], riskMemory: NO_RISK_MEMORY, heartbeat: 'unarmed' },
};

const BY_KIND: { readonly [K in JournalKind]: Extract<JournalRecord, { readonly kind: K }> } = {
  started: { kind: 'started', run: 'live-1', version: '0.1.0', mode: 'live', config: 'c0', strategies: [] },
  checkpoint: { kind: 'checkpoint', state },
  decided: { kind: 'decided', strategy: 's', market: '9', why: 'prices', intents: [] },
  refused: { kind: 'refused', strategy: 's', market: '9', code: 'LIMIT_ORDER', limit: 5, value: 0, wouldBe: 6 },
  sent: { kind: 'sent', eventName: 'Northgate v Southmoor', ...terms },
  cancelSent: { kind: 'cancelSent', client: 7 },
  reduceSent: { kind: 'reduceSent', client: 7, stake },
  requested: { kind: 'requested', request: 'place', clients: [7] },
  replied: { kind: 'replied', request: 'place', clients: [7], outcome: 'placed' },
  rejected: { kind: 'rejected', client: 7, code: 'SUSPENDED_MARKET' },
  unknown: { kind: 'unknown', client: 7, code: 'TIMEOUT' },
  reported: { kind: 'reported', ...report },
  reappeared: { kind: 'reappeared', client: 7, order: 70 },
  adopted: { kind: 'adopted', order: 70, ...terms },
  settled: { kind: 'settled', market: '9', wallet: 'main', profit: stake, commission: none },
  marketDone: { kind: 'marketDone', market: '9' },
  wallet: { kind: 'wallet', wallet: 'main', balance: stake, balanceAvailable: stake },
  heartbeat: { kind: 'heartbeat', from: 'active', to: 'lapsed', cause: 'c' },
  trading: { kind: 'trading', from: 'running', to: 'halted', cause: 'c', by: 'command' },
  phase: { kind: 'phase', from: 'recovering', to: 'arming', cause: 'c' },
  strategyHalted: { kind: 'strategyHalted', strategy: 's', code: 'STRATEGY_THROW', details: 'Error: x' },
  strategyLoaded: { kind: 'strategyLoaded', strategy: 's', sha256: 'abc', cause: 'c' },
  freshness: { kind: 'freshness', feed: 'prices', market: '9', isLate: true, ageMs: 9_000, budgetMs: 5_000 },
  marketRisk: { kind: 'marketRisk', market: '9', isOff: true, cause: 'c' },
  difference: { kind: 'difference', scope: 'order', id: '7', ours: '5', theirs: '6', verdict: 'lasting' },
  withdrawal: {
    kind: 'withdrawal',
    left: 1,
    orders: [{ client: 7, order: 70, market: '9', marketStatus: 'Locked', asked: 3 }],
  },
  limits: { kind: 'limits', limits: { order: 5 } },
  ended: { kind: 'ended', cause: 'c', liveOrders: 0 },
};

export const EVERY_RECORD: readonly JournalRecord[] = Object.values(BY_KIND);
