/** Requests at random, hostile ones among them: each is answered in its form, nothing breaks, and no law of money is broken. */

import { expect, test } from 'vitest';
import { budget } from '../support/budget.ts';
import { fuzzRequests } from '../support/sandbox-betfair/request-fuzz.ts';

const SEEDS = budget({ brief: 1, each: 2, deep: 50 });
const REQUESTS = 2_000;

test.each(Array.from({ length: SEEDS }, (_, index) => index + 1))('seed %i', (seed) => {
  const { faults, answers } = fuzzRequests({ seed, requests: REQUESTS });
  expect(faults).toEqual([]);
  // It is a fuzz only if much is taken and much is refused.
  for (const operation of ['placeOrders', 'cancelOrders', 'replaceOrders', 'updateOrders']) {
    const ways = [...answers].filter(([way]) => way.startsWith(`${operation} `));
    const sum = (isTaken: boolean) =>
      ways.reduce((total, [way, count]) => (/ (SUCCESS|PROCESSED)/.test(way) === isTaken ? total + count : total), 0);
    expect(Math.min(sum(true), sum(false)), operation).toBeGreaterThan(3);
  }
});
