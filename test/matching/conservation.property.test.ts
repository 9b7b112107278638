/** Random trading, in every kind of market: after each command money is conserved and every running sum is right. */

import { expect, it } from 'vitest';
import type { Tick } from '../../src/core/number/ladder.ts';
import { tickAtOrAbove } from '../../src/core/number/ladder.ts';
import type { Instant, Money } from '../../src/core/number/units.ts';
import { Exchange } from '../../src/matching/exchange.ts';
import type { Command, PlaceRequest } from '../../src/matching/messages/command.ts';

type Roll = (sides: number) => number;

function dice(seed: number): Roll {
  let state = seed * 7919;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const KINDS = [
  { outcomes: 2, winners: { min: 1, max: 1 }, crossMatching: true },
  { outcomes: 5, winners: { min: 1, max: 1 }, crossMatching: true },
  { outcomes: 3, winners: { min: 1, max: 1 }, crossMatching: false },
  { outcomes: 6, winners: { min: 2, max: 3 }, crossMatching: false },
] as const;

const STEPS = [undefined, 10_000, 1_000_000];

/** One run from a seed: the machine, and the commands it was given. */
function play(seed: number, crossPrice: 'exact' | 'rounded', check: (exchange: Exchange) => void): Exchange {
  const roll = dice(seed);
  const exchange = new Exchange({ rules: { crossPrice } });
  let now = 0;
  const apply = (command: object): void => {
    exchange.apply({ ...command, at: now as Instant } as Command);
    check(exchange);
  };
  apply({ kind: 'createApp' });
  apply({ kind: 'createCommissionRate', app: 1, ratePpm: 33_333, isDefault: true });
  for (let i = 0; i < 4; i += 1) {
    // Some wallets are settled exactly, some in hundredths or in units.
    apply({ kind: 'createWallet', app: 1, ...(STEPS[i] === undefined ? {} : { moneyStep: STEPS[i] }) });
    apply({ kind: 'deposit', wallet: 2 + i, currency: 0, amount: 10 ** (6 + i * 2) });
  }
  const kind = KINDS[seed % KINDS.length] ?? KINDS[0];
  const actions = { eventStartAction: 'CancelUnmatchedLiquidity', marketLockAction: 'None' };
  apply({ kind: 'createEvent', app: 1 });
  apply({
    kind: 'createMarket',
    app: 1,
    event: 0,
    currency: 0,
    turnsInPlay: true,
    inPlayDelayMs: 50,
    ...kind,
    ...actions,
  });
  apply({ kind: 'publish', market: 0, published: true });
  apply({ kind: 'open', market: 0 });
  for (let step = 0; step < 250; step += 1) {
    now += roll(20);
    apply(randomCommand(roll, kind.outcomes));
  }
  apply({ kind: 'lock', market: 0 });
  apply({ kind: 'settle', market: 0, winners: [roll(kind.outcomes)] });
  const isSettled = exchange.market(0)?.status === 'Settled';
  for (const [index, step = 1] of isSettled ? STEPS.entries() : [])
    expect(Math.abs(exchange.account(2 + index, 0)?.balance ?? 0) % step, `wallet ${index} of seed ${seed}`).toBe(0);
  apply({ kind: 'resettle', market: 0, winners: [0, 1] });
  apply({ kind: 'resettle', market: 0, winners: [] });
  apply({ kind: 'forget', market: 0 });
  return exchange;
}

function randomCommand(roll: Roll, outcomes: number): object {
  const die = roll(60);
  if (die === 0) return { kind: 'setInPlay', market: 0, inPlay: roll(2) === 0 };
  if (die === 1) return { kind: 'suspend', market: 0, suspended: roll(3) === 0 };
  if (die < 5) return { kind: 'cancel', app: 1, wallets: [2 + roll(4)] };
  if (die === 5 && roll(4) === 0) {
    return {
      kind: 'removeOutcome',
      market: 0,
      outcome: roll(outcomes),
      factorPpm: roll(200_000),
      basis: roll(2) === 0 ? 'win' : 'place',
    };
  }
  if (die === 6 && roll(3) === 0) return { kind: 'voidTrades', market: 0, from: roll(2_000), to: roll(4_000) };
  const requests = Array.from({ length: 1 + roll(3) }, () => randomRequest(roll, outcomes));
  return { kind: 'place', app: 1, requests };
}

/** Prices lie about the fair one of equal chances, so that cross matches in both directions are common. */
function randomRequest(roll: Roll, outcomes: number): PlaceRequest {
  const around = tickAtOrAbove(outcomes * 1000) + roll(21) - 10;
  const small = roll(3) === 0;
  return {
    wallet: 2 + roll(4),
    market: 0,
    side: roll(2) === 0 ? 'For' : 'Against',
    outcome: roll(outcomes),
    tick: Math.max(0, around) as Tick,
    stake: ((1 + roll(small ? 30 : 5_000)) * 1000) as Money,
    keepWhenInPlay: roll(2) === 0,
    matchBehavior: roll(5) === 0 ? 'CancelUnmatched' : 'RetainUnmatched',
  };
}

it('conserves money and keeps every sum, over 60 seeds', () => {
  let crossed = 0;
  for (let seed = 1; seed <= 60; seed += 1) {
    const exchange = play(seed, seed % 3 === 0 ? 'exact' : 'rounded', (each) => {
      const broken = each.brokenLaws();
      if (broken.length > 0) expect.fail(`seed ${seed}, after ${each.events.total} events: ${broken.join('; ')}`);
    });
    for (let i = 0; i < exchange.events.length; i += 1) {
      const event = exchange.events.read(i);
      if (event.kind === 'orderMatched' && event.price % 10 !== 0) crossed += 1;
    }
  }
  // The law was tried where it is hard: fills between ladder prices.
  expect(crossed).toBeGreaterThan(100);
});

it('gives the same events and digest twice, and another digest for another history', () => {
  const [one, again, other] = [
    play(5, 'rounded', () => {}),
    play(5, 'rounded', () => {}),
    play(9, 'rounded', () => {}),
  ];
  expect(again.digest()).toBe(one.digest());
  expect(other.digest()).not.toBe(one.digest());
  expect(again.events.length).toBe(one.events.length);
  for (let i = 0; i < one.events.length; i += 1) expect(again.events.read(i)).toEqual(one.events.read(i));
});
