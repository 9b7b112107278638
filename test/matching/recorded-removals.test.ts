/**
 * The exchange removes non-runners as Betfair's recordings show it: what happens to resting recorded stake, and how
 * repriced bets are rounded.
 */

import { expect, test } from 'vitest';
import { defined } from '../../src/core/checks/assert.ts';
import { RECORDED_RULES, type Rules } from '../../src/matching/messages/rules.ts';
import { readText } from '../support/betfair-reader.ts';
import { describeWithRecordings, recordingFile } from '../support/shared.ts';
import { Stage } from './stage.ts';

const LADDERS = ['betfair_parser__1.205822330.bz2', 'nautilus__1-206064380.bz2', 'corrupt__1.206063952.gz'] as const;

/** What one recorded removal did to the other runners. */
interface Removal {
  readonly factor: number;
  readonly basis: 'win' | 'place';
  /**
   * Sums of Against levels above 1.05, where no kept lay orders stand: before the suspension for the removal, and after
   * it.
   */
  readonly levels: readonly [before: number, after: number];
  /** The price of a bet or of the last trade, before the removal and after it. */
  readonly prices: readonly (readonly [before: number, after: number])[];
}

interface Runner {
  readonly levels: Map<number, number>;
  readonly traded: Map<number, number>;
  last: number | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: the judge reads raw messages.
function messagesOf(file: string): any[] {
  const path = recordingFile(file);
  return readText(path)
    .split('\n')
    .flatMap((line) => {
      try {
        return JSON.parse(line).mc ?? [];
      } catch {
        // The corrupt recording ends in bytes that are no message.
        return [];
      }
    });
}

function removalsOf(file: string): Removal[] {
  const found: Removal[] = [];
  const runners = new Map<number, Runner>();
  const removed = new Set<number>();
  let before = { levels: new Map<number, number>(), traded: new Map<number, number[][]>() };
  for (const message of messagesOf(file)) {
    const definition = message.marketDefinition;
    const lasts = new Map([...runners].map(([id, { last }]) => [id, last]));
    for (const change of message.rc ?? []) note(runners, change);
    if (definition === undefined) continue;
    const gone = definition.runners.filter(({ id, status }: { id: number; status: string }) => {
      return status === 'REMOVED' && !removed.has(id);
    });
    for (const { id, adjustmentFactor: factor } of gone) {
      removed.add(id);
      if (before.levels.size === 0 || !factor) continue;
      const others = [...runners.keys()].filter((other) => !removed.has(other));
      const sum = (of: (other: number) => number) => others.reduce((total, other) => total + of(other), 0);
      const lastOf = (other: number) => [lasts.get(other), runners.get(other)?.last] as const;
      found.push({
        factor,
        basis: definition.numberOfWinners > 1 ? 'place' : 'win',
        levels: [sum((other) => before.levels.get(other) ?? 0), sum((other) => levelsOf(runners.get(other)))],
        prices: [
          ...others.flatMap((other) => relabelled(before.traded.get(other) ?? [], runners.get(other))),
          ...others
            .map(lastOf)
            .filter((pair): pair is [number, number] => pair[0] !== undefined && pair[0] !== pair[1]),
        ],
      });
    }
    if (definition.status === 'OPEN' || definition.status === 'SUSPENDED') {
      before = {
        levels: new Map([...runners].map(([id, runner]) => [id, levelsOf(runner)])),
        traded: new Map([...runners].map(([id, { traded }]) => [id, [...traded]])),
      };
    }
  }
  return found;
}

// biome-ignore lint/suspicious/noExplicitAny: the judge reads raw messages.
function note(runners: Map<number, Runner>, { id, atb = [], trd = [], ltp }: any): void {
  const runner = runners.get(id) ?? { levels: new Map(), traded: new Map(), last: undefined };
  runners.set(id, runner);
  for (const [price, stake] of atb) put(runner.levels, price, stake);
  for (const [price, stake] of trd) put(runner.traded, price, stake);
  if (typeof ltp === 'number') runner.last = ltp;
}

function put(levels: Map<number, number>, price: number, stake: number): void {
  if (stake === 0) levels.delete(price);
  else levels.set(price, stake);
}

function levelsOf(runner: Runner | undefined): number {
  return [...(runner?.levels.keys() ?? [])].filter((price) => price > 1.05).length;
}

/** Traded volume that is now counted at another price; in this data each volume occurs at one price only. */
function relabelled(traded: readonly (readonly number[])[], runner: Runner | undefined): [number, number][] {
  return traded.flatMap(([price = 0, volume = 0]) => {
    if (runner?.traded.has(price)) return [];
    const after = [...(runner?.traded ?? [])].find(([, at]) => at === volume)?.[0];
    return after === undefined ? [] : [[price, after]];
  });
}

/** The price of a bet at `price` after the removal, in the exchange. */
function repriced(price: number, { factor, basis }: Removal, rules: Partial<Rules>): number {
  const stage = new Stage({ rules });
  const [one, two] = [stage.wallet(10_000), stage.wallet(10_000)];
  const market = stage.market();
  const order = stage.order(market, [one, 'For', 0, 1, price]);
  stage.order(market, [two, 'Against', 0, 1, price]);
  stage.do({ kind: 'removeOutcome', market, outcome: 2, factorPpm: Math.round(factor * 10_000), basis });
  return defined([...stage.exchange.tradesOfOrder(order)][0], 'the bet was matched').price / 1000;
}

describeWithRecordings('removals in the recordings', () => {
  test('take recorded resting Against stake away where ours are voided, and leave them where ours stay', () => {
    const removals = LADDERS.flatMap(removalsOf);
    const seen = removals.map(({ factor, basis, levels: [, after] }) => [factor, basis, after > 0 ? 'stay' : 'void']);
    const ours = removals.map(({ factor, basis }) => {
      const stage = new Stage({ rules: RECORDED_RULES });
      const market = stage.market();
      const order = stage.order(market, [stage.wallet(1000), 'Against', 0, 5, 3]);
      stage.do({ kind: 'removeOutcome', market, outcome: 2, factorPpm: Math.round(factor * 10_000), basis });
      return [factor, basis, stage.standing(order).startsWith('Unmatched') ? 'stay' : 'void'];
    });
    expect(seen).toEqual([
      [27.58, 'place', 'void'],
      [8.37, 'place', 'void'],
      [2.41, 'place', 'stay'],
      [30.01, 'win', 'void'],
      [3, 'win', 'void'],
    ]);
    expect(ours).toEqual(seen);
    for (const { levels } of removals) expect(levels[0]).toBeGreaterThan(40);
  });

  test('reprice to the nearest hundredth', () => {
    const removals = [...LADDERS, 'flumine__BASIC-1.132153978.gz'].flatMap(removalsOf);
    const pairs = removals.flatMap((removal) => removal.prices.map(([before, after]) => ({ removal, before, after })));
    const same = (rules: Partial<Rules>) =>
      pairs.filter(({ removal, before, after }) => repriced(before, removal, rules) === after);
    // Of the other five two were traded anew in that message, and three show that the factor itself is published rounded.
    expect([same(RECORDED_RULES).length, same({}).length, pairs.length]).toEqual([25, 1, 30]);
  });
});
