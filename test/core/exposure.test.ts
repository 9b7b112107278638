/** R and M equal the maximum over all sets of winners, tried one by one. */

import { expect, it } from 'vitest';
import { createExposureColumns, type ExposureColumns, matchedLoss, requiredFunds } from '../../src/core/exposure.ts';

function dice(seed: number): (sides: number) => number {
  let state = seed * 48_271;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/** Every allowed set of winners as bits; no set where every outcome is removed or no size fits. */
function winnerSets(outcomes: number, min: number, max: number, removed: Uint8Array, base: number): number[] {
  const active = Array.from({ length: outcomes }, (_, i) => i).filter((i) => removed[base + i] === 0);
  const least = Math.min(min, active.length);
  const most = Math.min(max, active.length);
  const sets: number[] = [];
  for (let bits = 0; bits < 2 ** outcomes; bits += 1) {
    const winners = Array.from({ length: outcomes }, (_, i) => i).filter((i) => (bits >> i) & 1);
    if (winners.every((i) => active.includes(i)) && winners.length >= least && winners.length <= most) sets.push(bits);
  }
  return sets;
}

function sumOf(columns: ExposureColumns, base: number, outcomes: number, bits: number): number {
  let sum = 0;
  for (let i = 0; i < outcomes; i += 1) {
    sum += ((bits >> i) & 1 ? columns.unmatchedWin[base + i] : columns.unmatchedLose[base + i]) ?? 0;
  }
  return sum;
}

/** S(W): profit or loss of the matched bets if the outcomes of these bits win. */
function profitIfAllWin({ win, lose }: ExposureColumns, base: number, outcomes: number, bits: number): number {
  let total = 0;
  for (let i = 0; i < outcomes; i += 1) total += ((bits >> i) & 1 ? win[base + i] : lose[base + i]) ?? 0;
  return total;
}

it('is the maximum over every set of winners, for one and several winners, with and without removals', () => {
  for (let seed = 1; seed <= 3000; seed += 1) {
    const roll = dice(seed);
    const outcomes = 1 + roll(6);
    const min = roll(3) === 0 ? 1 : roll(outcomes + 1);
    const max = min === 1 && roll(2) === 0 ? 1 : Math.max(1, min + roll(3));
    const base = roll(3);
    const columns = createExposureColumns(base + outcomes);
    const removed = new Uint8Array(base + outcomes);
    for (let cell = base; cell < base + outcomes; cell += 1) {
      columns.win[cell] = roll(200) - 100;
      columns.lose[cell] = roll(200) - 100;
      columns.unmatchedWin[cell] = roll(50);
      columns.unmatchedLose[cell] = roll(50);
      removed[cell] = roll(5) === 0 ? 1 : 0;
    }
    const shape = { firstSlot: base, outcomes, winners: { min, max }, removed };
    const sets = winnerSets(outcomes, min, max, removed, base);
    let required = Number.NEGATIVE_INFINITY;
    let matched = 0;
    for (const bits of sets) {
      const result = profitIfAllWin(columns, base, outcomes, bits);
      required = Math.max(required, sumOf(columns, base, outcomes, bits) + Math.max(0, -result));
      matched = Math.max(matched, -result);
    }
    expect([seed, requiredFunds(columns, shape), matchedLoss(columns, shape)]).toEqual([seed, required, matched]);
  }
});
