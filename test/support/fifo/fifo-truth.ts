/** One market of the ground truth: what a plan's orders match on the exchange, and what a backtest says of them. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { backtest, importRecordings, type Limits } from '../../../src/backtest.ts';
import { back, cancel, defineStrategy, lay } from '../../../src/index.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { FifoCrowd, type Habits } from './fifo-crowd.ts';
import { type Command, FifoExchange, PRICES } from './fifo-exchange.ts';
import { FifoPlan, type PlanHabits, type Planned } from './fifo-plan.ts';
import { FifoRecording, OUTCOME, type SourceHabits } from './fifo-recording.ts';

export interface Scenario {
  readonly name: string;
  readonly crowd: Habits;
  readonly plan: PlanHabits;
  readonly source: SourceHabits;
}

const WORLDS = ['pessimistic', 'central', 'optimistic'] as const;

/** Stakes matched, in hundredths of a unit. */
export interface Judged {
  readonly stake: number;
  readonly truth: number;
  readonly delivered: Readonly<Record<(typeof WORLDS)[number], number>>;
}

export interface Market {
  /** What the crowd did, in order of time. */
  readonly commands: readonly Command[];
  readonly planned: readonly Planned[];
  readonly source: SourceHabits;
}

/** How long the crowd fills its book before the first look at it. */
const WARM_UP_MS = 180_000;

/** The crowd by itself for as long as the plan's orders live. */
export function marketOf({ crowd: habits, plan: planHabits, source }: Scenario, seed: number, orders: number): Market {
  const crowd = new FifoCrowd(habits, seed);
  const plan = new FifoPlan(planHabits, { seed, from: WARM_UP_MS });
  const commands: Command[] = [];
  let until = 0;
  while (plan.planned.length < orders || crowd.nextAt <= until) {
    if (plan.planned.length < orders && plan.nextAt < crowd.nextAt) {
      plan.look(crowd.exchange);
      until = Math.max(until, (plan.planned.at(-1)?.until ?? 0) + 5_000);
    } else commands.push(...crowd.step());
  }
  return { commands, planned: plan.planned, source };
}

/** What each order of ours matches where the crowd does the same again, with our orders in between. */
export function truthOf({ planned, commands }: Market): readonly number[] {
  const exchange = new FifoExchange();
  const ours: readonly Command[] = planned.flatMap(({ at, until, order }): Command[] => [
    { at, kind: 'place', order },
    { at: until, kind: 'cancel', id: order.id },
  ]);
  // A stable sort: the commands of one instant keep their order.
  for (const command of [...commands, ...ours].sort((a, b) => a.at - b.at)) exchange.do(command);
  return planned.map(({ order }) => exchange.matched(order.id));
}

/** What a stream shows of the market without our orders. */
function recordingOf({ commands, planned, source }: Market): readonly string[] {
  const exchange = new FifoExchange();
  const recording = new FifoRecording(exchange, source);
  exchange.onMatch = (match) => recording.matched(match);
  let unsent: number | undefined;
  for (const command of commands) {
    if (unsent !== undefined && unsent < command.at) {
      recording.send(unsent);
      unsent = undefined;
    }
    exchange.do(command);
    unsent ??= recording.sentAt(command.at);
  }
  if (unsent !== undefined) recording.send(unsent);
  recording.close(Math.max(commands.at(-1)?.at ?? 0, ...planned.map(({ until }) => until)) + 60_000);
  return recording.lines;
}

/** Places the planned orders and gives each up at its time, whatever happened meanwhile. */
function planPlayer(planned: readonly Planned[]) {
  const steps = planned
    .flatMap(({ at, until, order }) => [
      { at, order, places: true },
      { at: until, order, places: false },
    ])
    .sort((a, b) => a.at - b.at);
  return defineStrategy({
    name: 'plan-player',
    state: () => ({ done: 0 }),
    decide({ market, now, orders, state }) {
      const elapsed = now - FifoRecording.startedAt;
      let { done } = state;
      const intents = [];
      for (; (steps[done]?.at ?? Infinity) <= elapsed; done += 1) {
        const { order, places } = steps[done]!;
        const terms = { stake: order.stake / 100, price: PRICES[order.place]!, note: order.id };
        const live = orders.find(({ note }) => note === order.id);
        if (places) intents.push((order.side === 'back' ? back : lay)(market.outcome(OUTCOME)!, terms));
        else if (live !== undefined) intents.push(cancel(live));
      }
      const next = steps[done];
      return { intents, state: { done }, ...(next ? { wakeAt: FifoRecording.startedAt + next.at } : {}) };
    },
  });
}

const NO_LIMITS: Limits = {
  ...({ order: 'none', outcome: 'none', market: 'none', event: 'none', strategy: 'none', wallet: 'none' } as const),
  ...({ ordersPerSecond: 'none', dailyLoss: 'none', selfMatch: 'allow' } as const),
};

/** What a backtest over the recording says that each order matched, in each world. */
export async function deliveredOf(market: Market): Promise<readonly Judged['delivered'][]> {
  const { planned } = market;
  const folder = temporaryDirectory('fifo');
  const file = join(folder, 'market');
  const tape = join(folder, 'market.tape');
  writeFileSync(file, `${recordingOf(market).join('\n')}\n`);
  await importRecordings({ files: [file], out: tape });
  const { orders } = await backtest({
    tape,
    strategies: [() => planPlayer(planned)],
    wallet: { unlimited: true },
    latency: { requestMs: 0, responseMs: 0 },
    limits: NO_LIMITS,
    exchange: { minimumStake: 'none' },
  });
  const matched = new Map<string, number>();
  for (const { flow, note, stakeMatched } of orders.rows)
    matched.set(`${flow} ${note}`, Math.round(100 * (stakeMatched ?? 0)));
  return planned.map(({ order }) => {
    const [pessimistic, central, optimistic] = WORLDS.map((world) => {
      const found = matched.get(`${world} ${order.id}`);
      if (found === undefined) throw new Error(`${order.id} was not sent in the ${world} world`);
      return found;
    });
    return { pessimistic: pessimistic ?? 0, central: central ?? 0, optimistic: optimistic ?? 0 };
  });
}

export async function judgedOf(scenario: Scenario, seed: number, orders: number): Promise<readonly Judged[]> {
  const market = marketOf(scenario, seed, orders);
  const truth = truthOf(market);
  const delivered = await deliveredOf(market);
  return market.planned.map(({ order }, at) => ({
    stake: order.stake,
    truth: truth[at] ?? 0,
    delivered: delivered[at] ?? { pessimistic: 0, central: 0, optimistic: 0 },
  }));
}
