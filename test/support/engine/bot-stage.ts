/** A bot before an exchange that does as it is told, on a simulated clock, with a journal that only remembers. */

import type { Intent } from '../../../src/core/intent.ts';
import type { MarketState } from '../../../src/core/market-state.ts';
import type { Money } from '../../../src/core/number/units.ts';
import type { Journal, JournalRecord } from '../../../src/core/run/journal.ts';
import type { SentOrder } from '../../../src/core/run/kept-order.ts';
import { NO_RISK_MEMORY } from '../../../src/core/run/risk-memory.ts';
import type { RestoredOrder, RunState } from '../../../src/core/run/run-state.ts';
import type { DecisionMark } from '../../../src/engine/guest/decision-mark.ts';
import { newInstance } from '../../../src/engine/ledger/strategy-in-market.ts';
import { Bot } from '../../../src/engine/live/bot.ts';
import type { BotSettings } from '../../../src/engine/live/bot-settings.ts';
import type { PlottedPoint } from '../../../src/engine/log/journal-log.ts';
import type { FeedName } from '../../../src/exchange/gateway.ts';
import type { Limits } from '../../../src/risk/limits/limits.ts';
import type { DecideInput, StrategyPlugin, Why } from '../../../src/strategy/contract.ts';
import { createFixedMarket } from '../../../src/strategy/testing/fixed-market.ts';
import { SimulatedClock } from '../../../src/time/simulated-clock.ts';
import { PlainExchange } from './plain-exchange.ts';

export const START = Date.UTC(2026, 2, 24, 14);
export const SETTINGS: BotSettings = {
  tickMs: 250,
  heartbeat: { timeoutMs: 10_000, pollBudgetMs: 3_000, atEnd: 'clear' },
  reconcile: { everyMs: 2_000, lastingAfter: 3, foreignOrders: 'adopt' },
  freshness: { markets: 5_000, prices: 3_000, orders: 3_000, wallets: 5_000 },
  dark: { afterMs: { markets: 5_000, prices: 3_000, orders: 3_000 }, orders: 'cancel' },
  end: { orders: 'cancel', deadlineMs: 5_000 },
  intentsMax: 10,
};

/** A journal that only remembers, and how much of it was committed. */
class NotedJournal implements Journal {
  readonly records: JournalRecord[] = [];
  committed = 0;
  isFull = false;
  append(_at: number, record: JournalRecord): void {
    this.records.push(record);
  }
  commit(): void {
    if (this.isFull) throw new Error('no space left on the device');
    this.committed = this.records.length;
  }
}

interface StageSettings {
  readonly settings?: Partial<BotSettings>;
  readonly restored?: RunState;
  readonly limits?: Limits;
  /** Whether it places one order of 10 at 2.00 whenever it has none and may. */
  readonly quotes?: boolean;
  /** Instead of that one. */
  readonly decide?: (input: DecideInput) => readonly Intent[];
  readonly watches?: NonNullable<StrategyPlugin['watches']>;
  /** A feed that is not read at first. */
  readonly silent?: FeedName;
  readonly beforeInput?: () => void;
  /** Hears every record, as the log of a daemon does. */
  readonly listener?: (clock: SimulatedClock) => (at: number, record: JournalRecord) => void;
  /** Where another thread may write that no strategy is to be asked any more. */
  readonly mark?: DecisionMark;
  readonly onPlotted?: (point: PlottedPoint) => void;
}

/** The stage's one strategy, with what a test may make of it. */
function quoterOf({ quotes = true, decide, watches }: StageSettings) {
  const whys: Why[] = [];
  let isDone = false;
  let isBroken = false;
  const plugin: StrategyPlugin = {
    name: 'quoter',
    ...(watches && { watches }),
    decide: (input: DecideInput) => {
      whys.push(input.why);
      if (isBroken) throw new Error('it is broken');
      if (decide !== undefined) return decide(input);
      if (!quotes || isDone || input.orders.length > 0 || input.why === 'stale') return [];
      return [{ kind: 'place', market: 'm1', outcome: 'a', side: 'For', price: 2, stake: 10 }];
    },
  };
  return {
    ...{ plugin, whys },
    /** The strategy places nothing more. */
    quiet: () => {
      isDone = true;
    },
    /** From now on the strategy throws. */
    breakDown: () => {
      isBroken = true;
    },
  };
}

export function stage(wanted: StageSettings = {}) {
  const { settings = {}, restored, limits = {}, silent, beforeInput, mark, onPlotted } = wanted;
  const clock = new SimulatedClock(START);
  const fixed = createFixedMarket({
    ...{ id: 'm1', updatedAt: START },
    outcomes: [{ id: 'a', against: [[2, 50]], for: [[2.2, 50]] }, { id: 'b' }],
  });
  /** Its status may be written; the next reading tells of it. */
  const market: { -readonly [Key in keyof MarketState]: MarketState[Key] } = { ...fixed };
  const exchange = new PlainExchange(clock, market);
  const journal = new NotedJournal();
  const { plugin, ...quoter } = quoterOf(wanted);
  const instances = [newInstance({ index: 0, plugin, params: Object.freeze({}), wallet: 0, signals: new Map() })];
  const bot = new Bot({
    ...{ clock, gateway: exchange, journal, restored, run: 'run', instances, limits },
    names: { strategies: ['quoter'], wallets: ['main'] },
    ...{ settings: { ...SETTINGS, ...settings }, mark },
    onRecord: wanted.listener?.(clock) ?? (() => {}),
    ...(beforeInput && { beforeInput }),
    onPlotted,
  });
  let outcome = 'running';
  bot.run$.subscribe({
    complete: () => {
      outcome = 'completed';
    },
    error: (error: Error) => {
      outcome = `failed: ${error.message}`;
    },
  });
  if (silent !== undefined) exchange.silent.add(silent);
  exchange.listen();
  return {
    ...{ clock, exchange, journal, bot, market },
    ...quoter,
    outcome: () => outcome,
    until: (ms: number) => clock.runUntil(START + ms),
    of: <K extends JournalRecord['kind']>(kind: K) =>
      journal.records.filter((record): record is Extract<JournalRecord, { kind: K }> => record.kind === kind),
    askedAt: (what: string) => exchange.asked.filter((each) => each.what === what).map(({ at }) => at),
  };
}

export const RESTORED: RunState = {
  ...{ run: 'run', lastClient: 7, results: [], haltedStrategies: [], riskMemory: NO_RISK_MEMORY },
  ...{ trading: 'running', tradingCause: '', heartbeat: 'unarmed', orders: [] },
};

export function restoredOrder(client: number, fate: 'open' | 'known', market = 'm1'): RestoredOrder {
  const stake = 10e6 as Money;
  const terms: SentOrder = {
    ...{ client, strategy: 'quoter', wallet: 'main', market, marketName: 'M', outcome: 'a', outcomeTitle: 'A' },
    ...{ side: 'For', tick: 100, stake, keepWhenInPlay: false, matchBehavior: 'RetainUnmatched' },
  };
  return { terms, sentAt: START - 1_000, fate };
}
