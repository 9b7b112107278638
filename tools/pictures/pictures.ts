/** The pictures of docs/how-it-decides.md, drawn from runs on the bundled recording: names and their SVG text. */

import { fileURLToPath } from 'node:url';
import { back, defineStrategy } from 'oddsmith';
import { backtest } from 'oddsmith/backtest';
import { recordedLevel } from './recorded-level.ts';
import { type StepLine, stepChart } from './step-chart.ts';

const TAPE = fileURLToPath(new URL('../../backtest/sample.tape', import.meta.url));
const QUOTER = fileURLToPath(new URL('../../strategies/passive-quoter.ts', import.meta.url));

export async function pictures(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['queue.svg', await queuePicture()],
    ['delay.svg', await delayPicture()],
    ['taken.svg', await takenPicture()],
  ]);
}

/** An order whose three results differ, found again by market, outcome and the moment of its arrival. */
async function queuePicture(): Promise<string> {
  const run = await backtest({ tape: TAPE, strategies: [{ file: QUOTER }] });
  const order = [...run.orders.rows].find(
    ({ marketId, arrivedAt }) => marketId === '99000201' && arrivedAt === ORDER_ARRIVED_AT,
  );
  if (order === undefined) throw new Error('the sample run has no such order any more: choose another one');
  const { arrivedAt, outcomeId, price, queueAhead } = order;
  if (arrivedAt === undefined || queueAhead === undefined) throw new Error('the order never arrived');
  const recorded = recordedLevel(TAPE, { market: order.marketId, outcome: outcomeId, side: order.side, price });
  const from = arrivedAt - 20_000;
  const seconds = 250;
  const matched = (bound: string, tone: StepLine['tone']): StepLine => {
    let sum = 0;
    const points: [number, number][] = [[0, 0]];
    // The same order in the world of the bound.
    const own = [...run.orders.rows].find(
      (row) => row.flow === bound && row.arrivedAt === arrivedAt && row.outcomeId === outcomeId,
    );
    for (const fill of run.fills.rows) {
      if (fill.run !== own?.run || fill.order !== own.order) continue;
      sum += fill.stake;
      points.push([(fill.at - from) / 1000, sum]);
    }
    return { name: bound, tone, points };
  };
  return stepChart({
    title: `A ${order.stake} back at ${price} joins the queue behind ${queueAhead}`,
    seconds,
    marks: [{ at: 20, label: 'the order arrives' }],
    panels: [
      {
        title: `Recorded stake resting at ${price}, and trades there`,
        height: 130,
        lines: [{ name: 'resting', tone: 'soft', isFilled: true, points: window(recorded.resting, from, seconds) }],
        bars: {
          name: 'trades',
          points: recorded.trades
            .map(([at, stake]): [number, number] => [(at - from) / 1000, stake])
            .filter(([at]) => at >= 0 && at <= seconds),
        },
      },
      {
        title: 'Matched of the order',
        height: 130,
        lines: [matched('optimistic', 'high'), matched('central', 'middle'), matched('pessimistic', 'low')],
      },
    ],
  });
}

const ORDER_ARRIVED_AT = Date.UTC(2026, 2, 14, 12, 37, 22, 81);

/** What a strategy sees of the best stake, when it takes some of it and when it does not. */
async function takenPicture(): Promise<string> {
  const from = Date.UTC(2026, 2, 14, 12, 40, 0);
  const takeAt = from + 30_000;
  const seconds = 150;
  const seen = async (stake: number): Promise<[number, number][]> => {
    const points: [number, number][] = [];
    await backtest({
      tape: TAPE,
      fills: 'central',
      markets: { ids: ['99000201'] },
      strategies: [taker({ stake, takeAt, onSeen: (at, value) => points.push([at, value]) })],
    });
    return points;
  };
  const [untouched, taken] = [await seen(0), await seen(TAKEN)];
  const line = (points: readonly [number, number][]): [number, number][] => window(points, from, seconds);
  return stepChart({
    title: `What is left after a strategy took ${TAKEN}`,
    seconds,
    marks: [{ at: 30, label: `a back of ${TAKEN} is sent` }],
    panels: [
      {
        title: 'Stake to back at 4.1 or better',
        height: 170,
        lines: [
          { name: 'recorded', tone: 'soft', isFilled: true, points: line(untouched) },
          { name: 'seen by the strategy', tone: 'middle', points: line(taken) },
        ],
      },
    ],
  });
}

const TAKEN = 20;

interface Taking {
  readonly stake: number;
  readonly takeAt: number;
  readonly onSeen: (at: number, stake: number) => void;
}

function taker({ stake, takeAt, onSeen }: Taking) {
  return defineStrategy({
    name: 'taker',
    state: () => ({ isDone: false }),
    decide({ market, state, now }) {
      const outcome = market.outcomes.find(({ title }) => title === 'Long Tail');
      if (outcome === undefined || !market.tradable) return [];
      const onOffer = outcome.levels('Against', 10).filter(({ price }) => price >= PRICE);
      onSeen(
        market.updatedAt,
        onOffer.reduce((sum, level) => sum + level.stake, 0),
      );
      if (stake === 0 || state.isDone || now < takeAt) return [];
      return {
        intents: [back(outcome, { stake, price: PRICE, matchBehavior: 'CancelUnmatched' })],
        state: { isDone: true },
      };
    },
  });
}

const PRICE = 4.1;

/** Points of the stretch that is drawn, in seconds from its beginning, with the value that holds there. */
function window(
  points: readonly (readonly [at: number, value: number])[],
  from: number,
  seconds: number,
): [number, number][] {
  const before = points.findLast(([at]) => at <= from);
  const inside = points.filter(([at]) => at > from && at <= from + seconds * 1000);
  return [[0, before?.[1] ?? 0], ...inside.map(([at, value]): [number, number] => [(at - from) / 1000, value])];
}

/** A bet in play that was decided on one price and acts, after the market's delay, on another. */
async function delayPicture(): Promise<string> {
  const decidedAt = Date.UTC(2026, 2, 14, 13, 26, 36, 30);
  const prices: [number, number][] = [];
  const run = await backtest({
    tape: TAPE,
    fills: 'central',
    markets: { ids: ['99000302'] },
    strategies: [inPlayBacker({ decidedAt, onPrice: (at, price) => prices.push([at, price]) })],
  });
  const [order] = run.orders.rows;
  const [fill] = [...run.fills.rows].filter(({ flow }) => flow === 'central');
  const seenPrice = prices.findLast(([at]) => at <= decidedAt)?.[1];
  if (order?.arrivedAt === undefined || fill === undefined || seenPrice === undefined)
    throw new Error('the sample has no such bet any more: choose another moment');
  const from = decidedAt - 2_000;
  const secondsTo = (at: number): number => (at - from) / 1000;
  const points = window(prices, from, 14);
  return stepChart({
    title: `Decided on ${seenPrice}, matched at ${fill.price}`,
    seconds: 14,
    marks: [
      { at: secondsTo(decidedAt), label: 'decided, on the prices of this moment' },
      { at: secondsTo(order.arrivedAt), label: 'arrives, after response and request' },
      { at: secondsTo(fill.at), label: 'acts, after the in-play delay of 5 s' },
    ],
    panels: [
      {
        title: 'Best price to back at',
        height: 170,
        from: 2,
        to: 4.5,
        lines: [{ name: 'best price', tone: 'middle', isFilled: true, points }],
      },
    ],
  });
}

interface InPlayBacker {
  readonly decidedAt: number;
  readonly onPrice: (at: number, price: number) => void;
}

function inPlayBacker({ decidedAt, onPrice }: InPlayBacker) {
  return defineStrategy({
    name: 'in-play-backer',
    state: () => ({ isDone: false }),
    decide({ market, state, now }) {
      const outcome = market.outcomes.find(({ title }) => title === 'Over 2.5 goals');
      const price = outcome?.bestPrice('Against');
      if (outcome === undefined || price === undefined || !market.tradable) return [];
      onPrice(now, price);
      if (state.isDone || now < decidedAt) return [];
      // At any price: the limit is the lowest one.
      return {
        intents: [back(outcome, { stake: 2, price: 1.01, matchBehavior: 'CancelUnmatched' })],
        state: { isDone: true },
      };
    },
  });
}
