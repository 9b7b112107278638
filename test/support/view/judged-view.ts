/** What the view says of a market, laid beside a slow reading of its tapes at many instants. */

import { expect } from 'vitest';
import type { RunSource, ViewedRun } from '../../../src/app/web/view/run/viewed-run.ts';
import { RunView } from '../../../src/app/web/view/run-view.ts';
import type { Found } from '../../../src/app/web/view/view-source.ts';
import { Random } from '../../../src/core/number/random.ts';
import type { ViewMarket, ViewPart, ViewState } from '../../../src/pages/view-data.ts';
import type { Tape } from '../../../src/recording/tape/tape.ts';
import { PartReel } from '../../../src/web/view/play/book.ts';
import { bookFault, type LadderText, ladderOfPart, NaiveLadders, textOf } from './naive-ladders.ts';

/** A run without orders over some tapes, which the test closes. */
export function viewOf(tapes: readonly Tape[]): RunView {
  const run: ViewedRun = {
    ...{ kind: 'backtest', name: 'made', currency: 'USDC', strategies: [], notes: [] },
    ...{ markets: new Map(), orders: new Map(), plots: new Map() },
  };
  const source: RunSource = {
    run: () => run,
    openTapes: () => ({ tapes, faults: [], close: () => undefined }),
    close: () => undefined,
  };
  return new RunView({ source, newLink: 'none', pause: async () => undefined });
}

export async function foundOf<T>(asked: Promise<Found<T>>): Promise<T> {
  const found = await asked;
  if (found.kind === 'found') return found.value;
  throw new Error(`${found.status}: ${found.body.why}`);
}

export interface Judged {
  readonly instants: number;
  readonly parts: number;
  readonly updates: number;
}

interface Judging {
  readonly tapes: readonly Tape[];
  readonly id: string;
  readonly instants: number;
  readonly seed: number;
}

/** Compares ladders, by a plain fold and by the page’s own, at random instants, times of updates and the borders of parts; then counts of updates. */
export async function judgeMarket(view: RunView, { tapes, id, instants, seed }: Judging): Promise<Judged> {
  const market = await foundOf(view.market(id));
  const parts: ViewPart[] = [];
  for (let part = 0; part < market.parts.length; part += 1) parts.push(await foundOf(view.part(id, part)));
  expectWhole(market, parts);
  const reels = parts.map((part) => new PartReel(part));
  const random = Random.fromSeed(seed);
  const naive = new NaiveLadders(tapes, id);
  const asked = chosenInstants(market, parts, { instants, seed });
  for (const at of asked) {
    const place = market.parts.findLastIndex((from) => from <= at);
    const [part, reel] = [parts[place] ?? expect.fail(), reels[place] ?? expect.fail()];
    const text = naive.to(at).text();
    // A failed comparison says all of it, which takes long: it is made only where there is something to say.
    if (ladderOfPart(part, at) !== text) expect(ladderOfPart(part, at), `${id} at ${at}`).toBe(text);
    reel.seek(at + (random.below(3) - 1) * random.below(60_000));
    reel.seek(at);
    if (ladderOfReel(reel) !== text) expect(ladderOfReel(reel), `the page’s ladder of ${id} at ${at}`).toBe(text);
  }
  naive.to(Number.POSITIVE_INFINITY);
  expect(parts.flatMap(({ updates }) => updates.map(({ at }) => at))).toEqual(naive.instants);
  expect(market.prices.updates.reduce((sum, count) => sum + count, 0)).toBe(naive.instants.length);
  return { instants: asked.length, parts: parts.length, updates: naive.updates };
}

/** The book that the page walks forward and backward. */
function ladderOfReel({ outcomes }: PartReel): LadderText {
  const millionths = (levels: ReadonlyMap<number, number>): Map<number, number> =>
    new Map([...levels].map(([price, stake]) => [price, Math.round(stake * 1e6)]));
  return textOf(
    outcomes.map((book) => ({
      ...{ for: millionths(book.for), against: millionths(book.against), traded: millionths(book.traded) },
      last: book.last,
    })),
  );
}

/** Limits and order of parts. */
function expectWhole(market: ViewMarket, parts: readonly ViewPart[]): void {
  for (const [place, { part, book, updates }] of parts.entries()) {
    expect(part).toBe(place);
    expect(bookFault(book)).toBeUndefined();
    expect(updates[0]?.at).toBe(market.parts[place]);
    expect(updates.length).toBeLessThanOrEqual(1_000);
    const events = updates.reduce((sum, update) => sum + update.events.length, 0);
    if (updates.length > 1) expect(events).toBeLessThanOrEqual(20_000);
  }
  expect([market.firstAt, market.lastAt]).toEqual([parts[0]?.updates[0]?.at, parts.at(-1)?.updates.at(-1)?.at]);
}

/** Of parts, at which ladders are compared just before and at the border. */
const BORDERS = 12;

function chosenInstants(
  { firstAt, lastAt, parts: borders }: ViewMarket,
  parts: readonly ViewPart[],
  { instants, seed }: { readonly instants: number; readonly seed: number },
): readonly number[] {
  const random = Random.fromSeed(seed);
  const times = parts.flatMap(({ updates }) => updates.map(({ at }) => at));
  const near = (at: number): number => at - 1 + random.below(3);
  const chosen = Array.from({ length: instants }, (_, place) =>
    place % 2 === 0 ? near(times[random.below(times.length)] ?? 0) : firstAt + random.below(lastAt - firstAt + 1),
  );
  const some = Array.from({ length: BORDERS }, () => borders[random.below(borders.length)] ?? 0);
  const all = [...chosen, ...some.flatMap((at) => [at - 1, at]), lastAt].filter((at) => at >= firstAt);
  return all.sort((a, b) => a - b);
}

/** States and prices over time, read from the tapes in the slow way. */
export function naiveOverview(
  tapes: readonly Tape[],
  market: ViewMarket,
): Pick<ViewMarket, 'states'> & { readonly outcomes: unknown } {
  const { startAt, stretchMs, updates } = market.prices;
  const naive = new NaiveLadders(tapes, market.id);
  const states: ViewState[] = [];
  const cells = market.outcomes.map(() => updates.map((): number[][] => [[], []]));
  const note = (stretch: number): void => {
    if (naive.definition?.status !== 'Open' || naive.definition.suspended) return;
    for (const [outcome, ladders] of naive.outcomes.entries()) {
      const [back, lay] = cells[outcome]?.[stretch] ?? [];
      if (ladders.against.size > 0) back?.push(Math.max(...ladders.against.keys()) / 1000);
      if (ladders.for.size > 0) lay?.push(Math.min(...ladders.for.keys()) / 1000);
    }
  };
  let stretch = 0;
  for (let at = naive.nextAt; at !== undefined; at = naive.nextAt) {
    // What is in force goes on until the next update, also in stretches in which there is none.
    for (; startAt + (stretch + 1) * stretchMs < at; stretch += 1) note(stretch + 1);
    stretch = Math.floor((at - startAt) / stretchMs);
    naive.to(at);
    note(stretch);
    const { status, suspended, inPlayStatus: inPlay, inPlayDelayMs, outcomes } = naive.definition ?? expect.fail();
    const state = { status, suspended, inPlay, inPlayDelayMs, outcomes: outcomes.map((outcome) => outcome.status) };
    const { at: _at, ...before } = states.at(-1) ?? { at: 0 };
    if (JSON.stringify(before) !== JSON.stringify(state)) states.push({ at, ...state });
  }
  const least = (values: readonly number[]): number | null => (values.length === 0 ? null : Math.min(...values));
  const greatest = (values: readonly number[]): number | null => (values.length === 0 ? null : Math.max(...values));
  return {
    states,
    outcomes: cells.map((stretches) => ({
      backLow: stretches.map(([back = []]) => least(back)),
      backHigh: stretches.map(([back = []]) => greatest(back)),
      layLow: stretches.map(([, lay = []]) => least(lay)),
      layHigh: stretches.map(([, lay = []]) => greatest(lay)),
    })),
  };
}
