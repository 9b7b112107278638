/** Rules of the world itself: limits, sessions, records that follow the machine, events read on access. */

import { beforeEach, describe, expect, test } from 'vitest';
import { tick } from '../../../src/core/number/ladder.ts';
import { instant, MONEY_SCALE, type Money, money } from '../../../src/core/number/units.ts';
import type { Change, MachineCommand } from '../../../src/sandbox/world/change.ts';
import { type Changed, World } from '../../../src/sandbox/world/world.ts';
import { START } from './made-context.ts';

type Draft = Change extends infer C ? (C extends Change ? Omit<C, 'at'> : never) : never;

let world: World;
let now = START;

function apply(change: Draft): Changed {
  return world.apply({ at: now, ...change });
}

function command(wanted: MachineCommand): Changed {
  return apply({ kind: 'command', command: wanted });
}

function codeOf(changed: Changed): string {
  return changed.kind === 'refused' ? changed.refusal.code : 'done';
}

const units = (count: number): Money => money(count * MONEY_SCALE);
const GIGA = units(1_000_000_000);

/** Apps 1 (wallets 2 and 3) and 2 (wallet 5), one open market (0) of event 0 with three outcomes. */
beforeEach(() => {
  world = new World();
  now = START;
  apply({ kind: 'createCurrency', id: 'USDC' });
  apply({ kind: 'createApp', id: 'a', name: 'A' });
  apply({ kind: 'createWallet', app: 1, reference: 'mine' });
  apply({ kind: 'createWallet', app: 1 });
  apply({ kind: 'createApp', id: 'b', name: 'B' });
  apply({ kind: 'createWallet', app: 2 });
  apply({ kind: 'createCategory', id: 'C', name: 'C' });
  apply({ kind: 'createSubcategory', id: 'S', name: 'S', categoryId: 'C' });
  apply({ kind: 'createEventGroup', id: 'G', name: 'G', subcategoryId: 'S' });
  apply({ kind: 'createMarketType', id: 'T', outcomes: { min: 3, max: 3 }, winners: { min: 1, max: 1 } });
  apply({ kind: 'createReferenceSource', code: 'FFT', description: 'Feed' });
  const terms = { name: 'E', code: 'e', expectedStartTime: START, participantIds: [] };
  apply({ kind: 'createEvent', app: 1, eventGroupId: 'G', ...terms });
  apply({
    kind: 'createMarket',
    app: 1,
    event: 0,
    name: 'M',
    marketTypeId: 'T',
    currencyId: 'USDC',
    winners: { min: 1, max: 1 },
    outcomes: [{ title: '1' }, { title: '2' }, { title: '3' }],
    crossMatching: true,
    turnsInPlay: true,
    inPlayDelayMs: 5000,
    lockAt: instant(START + 9e6),
    eventStartAction: 'None',
    marketLockAction: 'None',
  });
  command({ kind: 'publish', market: 0, published: true });
  command({ kind: 'open', market: 0 });
});

function place(app: number, wallet: number): Changed {
  const terms = { keepWhenInPlay: false, matchBehavior: 'RetainUnmatched' } as const;
  const request = { wallet, market: 0, side: 'For', outcome: 0, tick: tick(100), stake: units(1), ...terms } as const;
  return command({ kind: 'place', app, requests: [request] });
}

describe('money', () => {
  const deposit = (wallet: number, amount: Money) => command({ kind: 'deposit', wallet, currency: 0, amount });

  test('of an account stops at a thousand million, to the last millionth', () => {
    expect(codeOf(deposit(2, money(GIGA + 1)))).toBe('INVALID');
    expect(codeOf(deposit(2, GIGA))).toBe('done');
    expect(codeOf(deposit(2, money(1)))).toBe('INVALID');
    expect(codeOf(command({ kind: 'adjust', wallet: 2, currency: 0, amount: money(1) }))).toBe('INVALID');
    expect(codeOf(deposit(3, units(5)))).toBe('done');
    expect(codeOf(command({ kind: 'transfer', from: 3, to: 2, currency: 0, amount: units(5) }))).toBe('INVALID');
    expect(codeOf(command({ kind: 'withdraw', wallet: 2, currency: 0, amount: units(5) }))).toBe('done');
    expect(codeOf(command({ kind: 'transfer', from: 3, to: 2, currency: 0, amount: units(5) }))).toBe('done');
    expect(world.exchange.account(2, 0)?.balance).toBe(GIGA);
  });

  test('owed stops there too, and so does an overdraft', () => {
    const owe = (amount: number) => command({ kind: 'adjust', wallet: 2, currency: 0, amount: money(amount) });
    expect(codeOf(owe(-GIGA))).toBe('done');
    expect(codeOf(owe(-1))).toBe('INVALID');
    const lend = (overdraft: Money) => command({ kind: 'setOverdraft', wallet: 3, currency: 0, overdraft });
    expect(codeOf(lend(money(GIGA + 1)))).toBe('INVALID');
    expect(codeOf(lend(GIGA))).toBe('done');
  });

  test('in all of one currency, overdrafts included, stops at eight times that', () => {
    const wallets = [2, 3, 5];
    while (wallets.length < 9) {
      apply({ kind: 'createWallet', app: 1 });
      wallets.push(world.exchange.app(1)?.wallets.at(-1) ?? 0);
    }
    for (const wallet of wallets.slice(0, 7)) expect(codeOf(deposit(wallet, GIGA))).toBe('done');
    const [, , , , , , , eighth = 0, ninth = 0] = wallets;
    const lend = (overdraft: Money) => command({ kind: 'setOverdraft', wallet: eighth, currency: 0, overdraft });
    expect(codeOf(lend(GIGA))).toBe('done');
    expect(codeOf(deposit(ninth, money(1)))).toBe('INVALID');
    expect(codeOf(lend(units(1)))).toBe('done');
    expect(codeOf(deposit(ninth, units(999_999_999)))).toBe('done');
    expect(codeOf(lend(units(2)))).toBe('INVALID');
    expect(world.exchange.account(0, 0)?.balance).toBeGreaterThan(-8 * GIGA);
  });

  test('moves in currencies and wallets that are there, and not in the machine’s own', () => {
    expect(codeOf(command({ kind: 'deposit', wallet: 2, currency: 1, amount: units(1) }))).toBe('UNKNOWN_ID');
    expect(codeOf(deposit(77, units(1)))).toBe('UNKNOWN_ID');
    expect(codeOf(deposit(0, units(1)))).toBe('INVALID');
    expect(codeOf(command({ kind: 'setOverdraft', wallet: 0, currency: 0, overdraft: units(1) }))).toBe('INVALID');
    expect(codeOf(deposit(2, Number.NaN as Money))).toBe('INVALID');
    expect(codeOf(command({ kind: 'withdraw', wallet: 2, currency: 0, amount: units(1) }))).toBe('MACHINE');
  });
});

test('what is made with a name cannot be made without one', () => {
  const nameless: unknown = { kind: 'createWallet', app: 1 };
  expect(codeOf(command(nameless as MachineCommand))).toBe('INVALID');
  expect(world.registry.wallets.size).toBe(7);
});

test('a change that comes too early is refused', () => {
  now = instant(START + 1000);
  apply({ kind: 'setNote', key: 'a', value: 'b' });
  now = START;
  expect(codeOf(apply({ kind: 'setNote', key: 'a', value: 'c' }))).toBe('INVALID');
  expect(world.at(START)).toBe(START + 1000);
});

describe('keys and sessions', () => {
  const open = (number: number, more: object = {}): Changed =>
    apply({
      kind: 'openSession',
      key: 'k',
      accessHash: `access${number}`,
      refreshHash: `refresh${number}`,
      accessExpiresAt: instant(now + 10),
      refreshExpiresAt: instant(now + 100),
      ...more,
    });

  test('a wallet’s key is of a wallet of the app', () => {
    expect(codeOf(apply({ kind: 'createKey', app: 1, wallet: 5, name: 'k', secretHash: 'h' }))).toBe('UNKNOWN_ID');
    expect(codeOf(apply({ kind: 'createKey', app: 1, wallet: 1, name: 'k', secretHash: 'h' }))).toBe('INVALID');
    expect(codeOf(apply({ kind: 'createKey', app: 1, wallet: 3, name: 'k', secretHash: 'h' }))).toBe('done');
    expect(codeOf(apply({ kind: 'createKey', app: 2, name: 'k', secretHash: 'g' }))).toBe('ID_TAKEN');
    expect(codeOf(apply({ kind: 'createKey', app: 2, name: 'l', secretHash: 'h' }))).toBe('ID_TAKEN');
    expect(world.registry.keyBySecret('h')).toMatchObject({ app: 1, wallet: 3, active: true });
  });

  test('a refresh token is used once, and only while it lives', () => {
    apply({ kind: 'createKey', app: 1, name: 'k', secretHash: 'h' });
    expect(codeOf(open(1))).toBe('done');
    expect(codeOf(open(2, { replaces: 'refresh1' }))).toBe('done');
    expect(codeOf(open(3, { replaces: 'refresh1' }))).toBe('INVALID');
    expect(codeOf(open(3, { replaces: 'nothing' }))).toBe('UNKNOWN_ID');
    now = instant(now + 100);
    expect(codeOf(open(3, { replaces: 'refresh2' }))).toBe('UNKNOWN_ID');
    apply({ kind: 'deactivateKey', name: 'k' });
    expect(codeOf(open(4))).toBe('INVALID');
  });

  test('sessions that have expired do not pile up, however long each lives', () => {
    apply({ kind: 'createKey', app: 1, name: 'k', secretHash: 'h' });
    open(0, { accessExpiresAt: instant(now + 1e9), refreshExpiresAt: instant(now + 1e9) });
    for (let number = 1; number < 5000; number += 1) {
      now = instant(now + 5);
      open(number);
    }
    expect(world.registry.sessionByAccess.has('access0')).toBe(true);
    expect(world.registry.sessionByAccess.size).toBeLessThan(150);
    expect(world.registry.sessionByRefresh.size).toBeLessThan(150);
  });
});

describe('records', () => {
  const version = () => world.catalogue.markets.get(0)?.version ?? -1;

  test.each<readonly [string, () => void]>([
    ['an order', () => place(1, 2)],
    ['a cancellation', () => command({ kind: 'cancel', app: 1, markets: [0] })],
    ['a suspension', () => command({ kind: 'suspend', market: 0, suspended: true })],
    ['a removal', () => command({ kind: 'removeOutcome', market: 0, outcome: 1, factorPpm: 0, basis: 'win' })],
    ['its event', () => command({ kind: 'setEventActive', event: 0, active: false })],
  ])('a market’s version counts up with %s', (_, change) => {
    command({ kind: 'deposit', wallet: 2, currency: 0, amount: units(100) });
    place(1, 2);
    const before = version();
    change();
    expect(version()).toBeGreaterThan(before);
  });

  test('a market’s version counts up when a delay ends by itself', () => {
    command({ kind: 'deposit', wallet: 2, currency: 0, amount: units(100) });
    command({ kind: 'setInPlay', market: 0, inPlay: true });
    place(1, 2);
    const before = version();
    world.advance(instant(now + 5000));
    expect(version()).toBeGreaterThan(before);
  });

  test('an event says when it was changed', () => {
    now = instant(now + 7);
    command({ kind: 'setEventActive', event: 0, active: false });
    expect(world.catalogue.events.get(0)?.modifiedAt).toBe(now);
  });

  test('every posting is kept, the house’s aside, under ids that count all of them', () => {
    command({ kind: 'deposit', wallet: 2, currency: 0, amount: units(1) });
    apply({ kind: 'createApp', id: 'h', name: 'H', isHouse: true });
    apply({ kind: 'createWallet', app: 3 });
    const house = world.exchange.app(3)?.wallets[0] ?? 0;
    command({ kind: 'deposit', wallet: house, currency: 0, amount: units(2) });
    command({ kind: 'deposit', wallet: 2, currency: 0, amount: units(3) });
    expect(world.registry.wallet(house).transactions).toEqual([]);
    const kept = world.registry.wallet(2).transactions.map(({ transaction, amount }) => [transaction, amount]);
    expect(kept).toEqual([
      [1, units(1)],
      [5, units(3)],
    ]);
  });

  test('a forgotten market takes its escrow, outcomes and references with it', () => {
    apply({ kind: 'addReference', source: 'FFT', reference: 'x', target: 'market', id: '1' });
    apply({ kind: 'addReference', source: 'FFT', reference: 'x', target: 'event', id: '1' });
    expect(world.catalogue.idsByReference('market', 'FFT', 'x')).toEqual(['1']);
    expect(world.registry.walletById('a-MarketEscrow-1')).toBeDefined();
    for (const kind of ['lock', 'void', 'close', 'forget'] as const)
      expect(codeOf(command({ kind, market: 0 }))).toBe('done');
    expect(world.catalogue.idsByReference('market', 'FFT', 'x')).toEqual([]);
    expect(world.catalogue.idsByReference('event', 'FFT', 'x')).toEqual(['1']);
    expect(world.catalogue.outcomes.size).toBe(0);
    expect(world.registry.walletById('a-MarketEscrow-1')).toBeUndefined();
    expect(codeOf(apply({ kind: 'addReference', source: 'FFT', reference: 'x', target: 'market', id: '1' }))).toBe(
      'UNKNOWN_ID',
    );
  });
});

describe('events', () => {
  test('are those of the change; what fell due before it is told on its own', () => {
    const told: string[] = [];
    command({ kind: 'deposit', wallet: 2, currency: 0, amount: units(100) });
    command({ kind: 'setInPlay', market: 0, inPlay: true });
    place(1, 2);
    const stop = world.listen((change, events) => told.push(`${change?.kind}: ${events.map(({ kind }) => kind)}`));
    now = instant(now + 6000);
    const changed = command({ kind: 'cancel', app: 1, markets: [0] });
    expect(changed.events.map(({ kind }) => kind)).toEqual(['orderChanged']);
    expect(told).toEqual(['undefined: orderChanged', 'command: orderChanged']);
    stop();
    place(1, 2);
    expect(told).toHaveLength(2);
  });

  test('must be read before the next change, and then stay', () => {
    const read = apply({ kind: 'createWallet', app: 1 });
    const { events } = read;
    const unread = apply({ kind: 'createWallet', app: 1 });
    apply({ kind: 'createWallet', app: 1 });
    expect(read.events).toBe(events);
    expect(events[0]?.kind).toBe('walletCreated');
    expect(() => unread.events).toThrow('read before the next change');
  });
});
