/** The zoo in a bot with a journal and a supervisor, before an exchange whose own books are looked at. In simulated time. */

import { watchGuests } from '../../../src/backtest/pieces/guest-watch.ts';
import type { Journal, JournalRecord } from '../../../src/core/run/journal.ts';
import type { StrategyInstance } from '../../../src/engine/ledger/strategy-in-market.ts';
import { Bot } from '../../../src/engine/live/bot.ts';
import { createFixedMarket } from '../../../src/strategy/testing/fixed-market.ts';
import { SimulatedClock } from '../../../src/time/simulated-clock.ts';
import { SETTINGS, START } from '../engine/bot-stage.ts';
import { PlainExchange } from '../engine/plain-exchange.ts';
import type { ZooRun } from './run-zoo.ts';

const LENGTH_MS = 30_000;
/** How often the process's event loop gets a turn, in which promises that were rejected are reported. */
const STEP_MS = 500;
export const LIVE_MARKET = 'm1';
const LIVE: ReadonlySet<string> = new Set(['Pending', 'Unmatched', 'PartiallyMatched']);

/** Each strategy instance has a wallet of its own. The bot must go on until it is asked to end, and leave nothing then. */
export async function liveZoo(instances: readonly StrategyInstance[]): Promise<ZooRun> {
  const clock = new SimulatedClock(START);
  const sides = { against: [[2, 50]], for: [[2.2, 50]] } as const;
  const market = createFixedMarket({
    id: LIVE_MARKET,
    updatedAt: START,
    outcomes: [{ id: 'a', ...sides }, { id: 'b' }],
  });
  const exchange = new PlainExchange(clock, market);
  const records: JournalRecord[] = [];
  const journal: Journal = { append: (_at, record) => void records.push(record), commit: () => undefined };
  const names = instances.map(({ plugin: { name } }) => name);
  const bot = new Bot({
    ...{
      clock,
      gateway: exchange,
      journal,
      restored: undefined,
      run: 'run',
      instances,
      limits: {},
      onRecord: () => undefined,
    },
    names: { strategies: names, wallets: names },
    settings: { ...SETTINGS, intentsMax: 200 },
  });
  const others: unknown[] = [];
  const stop = watchGuests({
    instances,
    onStrategy: (instance, error) => bot.strategyFailed(instance, error),
    onOther: (error) => others.push(error),
  });
  let hasEnded = false;
  bot.run$.subscribe({ complete: () => (hasEnded = true), error: (error) => others.push(error) });
  exchange.listen();
  const play = async (until: number) => {
    while (clock.now() < until) {
      clock.runUntil(clock.now() + STEP_MS);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await play(START + LENGTH_MS);
  const endedByItself = hasEnded;
  const { orders, left } = booked(exchange, records);
  const [guest = ''] = names;
  bot.stop('command', 'told to');
  await play(clock.now() + SETTINGS.end.deadlineMs);
  stop();
  if (others.length > 0) throw others[0];
  if (endedByItself || !hasEnded) throw new Error(endedByItself ? 'it ended untold' : 'told to end, it did not');
  const after = booked(exchange, records).left;
  if (after.size > 0) throw new Error(`it ended with live orders of ${[...after.keys()].join(', ')}`);
  return { halts: haltsOf(records), orders, left: left.get(guest) ?? 0 };
}

/** What the exchange has of each strategy, and how many of them are live. */
function booked(exchange: PlainExchange, records: readonly JournalRecord[]) {
  const orders: Record<string, unknown[]> = {};
  const left = new Map<string, number>();
  const owners = new Map(
    records.flatMap((record) => (record.kind === 'sent' ? [[record.client, record.strategy]] : [])),
  );
  for (const { client, order: _, reference: _r, wallet: _w, ...row } of exchange.orders.values()) {
    const owner = owners.get(client) ?? 'nobody';
    orders[owner] ??= [];
    orders[owner].push(row);
    if (LIVE.has(row.status)) left.set(owner, (left.get(owner) ?? 0) + 1);
  }
  return { orders, left };
}

function haltsOf(records: readonly JournalRecord[]): ZooRun['halts'] {
  return records.flatMap((record) => {
    if (record.kind !== 'strategyHalted') return [];
    const { strategy: name, code, details } = record;
    return [{ name, code, details }];
  });
}
