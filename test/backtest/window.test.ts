/** When a window opens and ends by what is known at the time, what the last call is, and what becomes of orders and timers after it. */

import { describe, expect, it } from 'vitest';
import { backtest } from '../../src/backtest.ts';
import { back, defineStrategy } from '../../src/index.ts';
import { resultTable } from '../../src/report/text/table.ts';
import { backtestOf } from '../support/backtest-of.ts';
import { DAY, type MadeRace, MINUTE, racesTape } from '../support/made-races.ts';
import { temporaryFile } from '../support/temporary-directory.ts';

const RACE: MadeRace = {
  ...{ id: 'race', startAt: DAY, firstAt: DAY - 60 * MINUTE, offAt: DAY + MINUTE },
  ...{ settledAt: DAY + 10 * MINUTE, lastAt: DAY + 10 * MINUTE, updates: 600 },
};

interface Call {
  readonly why: string;
  readonly minutes: number;
}

/** All calls in the market, with the time from the first schedule, in minutes. */
async function callsOf(
  race: Partial<MadeRace>,
  window: { readonly from?: string; readonly to?: string },
  feed?: { readonly mode: 'poll'; readonly everyMs: number },
): Promise<readonly Call[]> {
  const calls: Call[] = [];
  const seeing = defineStrategy({
    name: 'seeing',
    decide({ why, now }) {
      calls.push({ why, minutes: (now - DAY) / MINUTE });
      return { wakeAt: now + 7_000 };
    },
  });
  await backtest({
    tape: racesTape([{ ...RACE, ...race }]),
    strategies: [seeing],
    fills: 'central',
    markets: { window },
    feed,
  });
  return calls;
}

async function spanOf(...given: Parameters<typeof callsOf>): Promise<readonly [Call | undefined, Call | undefined]> {
  const calls = await callsOf(...given);
  return [calls[0], calls.at(-1)];
}

const first = (minutes: number) => ({ why: 'status', minutes });
const last = (minutes: number) => ({ why: 'windowEnd', minutes });
const moved = (at: number, start: number) => ({ at: DAY + at * MINUTE, startAt: DAY + start * MINUTE });

describe('a window', () => {
  it.each<readonly [string, Partial<MadeRace>, { from?: string; to?: string }, Call | undefined, Call | undefined]>([
    ['before the schedule, to the switch', {}, { from: '-10m', to: 'off' }, first(-10), last(1)],
    ['to a time after the switch', {}, { from: '-10m', to: '+5m' }, first(-10), last(6)],
    ['to a time before the schedule', {}, { from: '-10m', to: '-30s' }, first(-10), last(-0.5)],
    ['from the switch on', {}, { from: 'off', to: '+90s' }, first(1), last(2.5)],
    ['from some time after the switch on', {}, { from: '+30s', to: '+90s' }, first(1.5), last(2.5)],
    [
      'of a start that is put off in time',
      { moves: [moved(-30, 15)], offAt: DAY + 16 * MINUTE, settledAt: DAY + 20 * MINUTE },
      { from: '-10m', to: 'off' },
      first(5),
      last(16),
    ],
    [
      'of a start that is put off after it opened',
      { moves: [moved(-5, 15)], offAt: DAY + 16 * MINUTE, settledAt: DAY + 20 * MINUTE },
      { from: '-10m', to: 'off' },
      first(-10),
      last(16),
    ],
    [
      'of a start that is brought forward into it',
      { moves: [moved(-30, -25)] },
      { from: '-10m', to: 'off' },
      first(-30),
      last(1),
    ],
    [
      'of a market that does not turn in play: the schedule',
      { offAt: undefined, turnsInPlay: false },
      { from: '-10m', to: 'off' },
      first(-10),
      last(0),
    ],
    [
      'of one that was to turn in play and never did: to its end',
      { offAt: undefined },
      { from: '-10m', to: 'off' },
      first(-10),
      { why: 'status', minutes: 10 },
    ],
    [
      'of one that turns in play before it opens: never',
      { offAt: DAY - 20 * MINUTE },
      { from: '-10m', to: 'off' },
      undefined,
      undefined,
    ],
    [
      'of one that is settled before it opens: never',
      { offAt: undefined, settledAt: DAY - 20 * MINUTE },
      { from: '-10m', to: 'off' },
      undefined,
      undefined,
    ],
    [
      'of one whose recording begins later: from there',
      { firstAt: DAY - 2 * MINUTE },
      { from: '-10m', to: 'off' },
      first(-2),
      last(1),
    ],
    ['to the end', {}, { from: '-10m', to: 'end' }, first(-10), { why: 'status', minutes: 10 }],
  ])('%s', async (_, race, window, begins, ends) => {
    expect(await spanOf(race, window)).toEqual([begins, ends]);
  });

  it('is told by the polls of a polling bot, also where it is shorter than their interval', async () => {
    const polls = { mode: 'poll', everyMs: 20_000 } as const;
    const polled = (at: number) => Math.ceil((DAY + at * MINUTE + 1) / 20_000) * 20_000;
    const minutes = (at: number) => (polled(at) - DAY) / MINUTE;
    expect(await spanOf({}, { from: '-10m', to: 'off' }, polls)).toEqual([first(minutes(-10)), last(minutes(1))]);
    const short = await callsOf({}, { from: '+1s', to: '+2s' }, polls);
    expect(short.map(({ why }) => why)).toEqual(['status', 'windowEnd']);
  });

  it('leaves orders as they are, in full truth, and tells the strategy nothing more of them', async () => {
    const lines: string[] = [];
    const leaving = temporaryFile(
      'leaving.ts',
      `import { back, defineStrategy } from 'oddsmith';
export default defineStrategy({ name: 'leaving', decide({ market, why, now, orders }) {
  console.log(why + ' ' + orders.length);
  if (why !== 'windowEnd') return [];
  const [one] = market.outcomes;
  return { intents: one?.bestFor === undefined ? [] : [back(one, { stake: 2, price: one.bestFor.price })], wakeAt: now + 1000 };
} });
`,
    );
    const window = { from: { of: 'start', ms: -10 * MINUTE }, to: { of: 'start', ms: -5 * MINUTE } } as const;
    const change = { tapes: [racesTape([RACE])], markets: { types: [], ids: [], events: [], window } };
    const result = await backtestOf([leaving], change, { onWords: (line) => lines.push(line) });
    expect(lines.at(-1)).toBe('leaving: windowEnd 0');
    expect(result.orders).toMatchObject({ sent: 1, accepted: 1, unanswered: 0 });
    const [order] = result.orderRows;
    // At the switch, orders that were not to be kept in play are cancelled, as they are without a window.
    expect(order?.stakeMatched === 2 || order?.reason === 'InPlay' || order?.status === 'Cancelled').toBe(true);
    expect(result.settings).toContainEqual({
      name: 'window',
      value: 'from 10 min before the scheduled start to 5 min before the scheduled start',
    });
    expect(resultTable(result)).toContain('\nwindow: strategies were asked from 10 min before the scheduled start to');
  });

  it('still lets a strategy act in it from another market, and shows it there', async () => {
    const later: MadeRace = { ...RACE, id: 'later', startAt: DAY + 4 * MINUTE, offAt: DAY + 5 * MINUTE };
    let ordered: boolean | undefined;
    const hedging = defineStrategy({
      name: 'hedging',
      decide({ market, markets }) {
        const over = markets.get('race');
        const [outcome] = over?.outcomes ?? [];
        if (market.id !== 'later' || ordered === true || over?.inPlay !== true || outcome?.bestFor === undefined)
          return [];
        ordered = true;
        return [back(outcome, { stake: 2, price: outcome.bestFor.price })];
      },
    });
    const { summary } = await backtest({
      ...{
        tape: racesTape([RACE, later]),
        strategies: [hedging],
        fills: 'central',
        markets: { window: { from: '-20m', to: 'off' } },
      },
    });
    expect(summary.orders).toMatchObject({ sent: 1, accepted: 1 });
  });

  it('stands in the proof against lookahead', async () => {
    const window = { from: '-10m', to: 'off' };
    const given = { tape: racesTape([RACE]), markets: { window }, prove: true };
    const early = defineStrategy({
      name: 'early',
      decide: ({ market, why }) => {
        const [one] = market.outcomes;
        const isAsked = why === 'status' && one?.bestFor !== undefined;
        return isAsked ? [back(one, { stake: 2, price: one.bestFor.price })] : [];
      },
    });
    const { summary } = await backtest({ ...given, strategies: [early], fills: 'central' });
    expect(summary.orders.sent).toBe(1);
    expect(summary.proof?.instants.length).toBeGreaterThan(0);
  });

  it('that never opened in a market is said', async () => {
    const early = { ...RACE, id: 'early', offAt: DAY - 30 * MINUTE };
    const tape = racesTape([RACE, early]);
    const quiet = defineStrategy({ name: 'quiet', decide: () => [] });
    const { notices } = await backtest({
      tape,
      strategies: [quiet],
      fills: 'central',
      markets: { window: { from: '-10m', to: 'off' } },
    });
    expect([...notices.rows]).toContainEqual(
      expect.objectContaining({ code: 'WINDOW_NEVER_OPENED', markets: ['early'] }),
    );
  });

  it.each([
    [{ from: 'off', to: '-1m' }, 'markets.window'],
    [{ from: '-5m', to: '-10m' }, 'markets.window'],
    [{ from: '+5m', to: 'off' }, 'markets.window'],
    [{ from: 'end' }, 'markets.window.from'],
    [{ from: '10m' }, 'markets.window.from'],
    [{ to: '5 minutes' }, 'markets.window.to'],
  ])('%o is refused', async (window, where) => {
    const given = { tape: racesTape([RACE]), strategies: [() => defineStrategy({ name: 'none', decide: () => [] })] };
    await expect(backtest({ ...given, markets: { window } })).rejects.toMatchObject({ code: 'CONFIG_INVALID', where });
  });

  it('is part of what a run is: another window, another transcript; none, the transcript of before', async () => {
    const tape = racesTape([RACE]);
    const quiet = defineStrategy({ name: 'quiet', decide: () => [] });
    const hash = async (window?: { from?: string; to?: string }) =>
      (await backtest({ tape, strategies: [quiet], fills: 'central', markets: { window } })).summary.transcriptSha256;
    const all = await Promise.all([
      hash(),
      hash({ from: '-10m' }),
      hash({ from: '-11m' }),
      hash({ from: '-10m', to: 'off' }),
    ]);
    expect(new Set(all).size).toBe(4);
    expect(await hash({ to: 'end' })).toBe(all[0]);
    expect(await hash({ from: '-600s', to: 'end' })).toBe(all[1]);
  });
});
