/** How old feeds and wallets are, as readings come in. */

import { expect, test } from 'vitest';
import { FeedAges } from '../../src/engine/live/feed-ages.ts';

const BUDGETS = { markets: 1_000, prices: 1_000, orders: 1_000, wallets: 1_000 };
const [MAIN, OTHER] = [0, 1];

test('a wallet that a reading does not tell is as old as the last one that did, and late after its budget', () => {
  const feeds = new FeedAges(BUDGETS, 0);
  feeds.noteRead('wallets', 100);
  for (const at of [600, 1_100]) feeds.noteRead('wallets', at, [OTHER]);
  expect([MAIN, OTHER].map((wallet) => feeds.walletAgeMs(wallet, 1_100))).toEqual([0, 1_000]);
  expect(feeds.isWalletLate(OTHER, 1_100)).toBe(false);
  expect([MAIN, OTHER].map((wallet) => feeds.isWalletLate(wallet, 1_101))).toEqual([false, true]);
  feeds.noteRead('wallets', 1_200);
  expect([feeds.isWalletLate(OTHER, 1_201), feeds.walletAgeMs(OTHER, 1_201)]).toEqual([false, 1]);
});

test('a wallet that was never told is late at once, and again after all was forgotten', () => {
  const feeds = new FeedAges(BUDGETS, 0);
  feeds.noteRead('wallets', 100, [OTHER]);
  expect([MAIN, OTHER].map((wallet) => feeds.isWalletLate(wallet, 101))).toEqual([false, true]);
  feeds.noteRead('wallets', 200);
  feeds.forget(300);
  expect(feeds.isWalletLate(OTHER, 301)).toBe(false);
  feeds.noteRead('wallets', 400, [OTHER]);
  expect(feeds.isWalletLate(OTHER, 401)).toBe(true);
});

test('where no wallet is told the feed is late, and no wallet by itself', () => {
  const feeds = new FeedAges(BUDGETS, 0);
  feeds.noteRead('wallets', 100);
  expect(feeds.changes(1_200).some(({ feed, isLate }) => feed === 'wallets' && isLate)).toBe(true);
  expect(feeds.isWalletLate(OTHER, 1_200)).toBe(false);
});

test('a clock that was set back leaves no wallet read in the future', () => {
  const feeds = new FeedAges(BUDGETS, 0);
  feeds.noteRead('wallets', 5_000);
  feeds.noteRead('wallets', 5_500, [OTHER]);
  feeds.onClockSetBack(2_000);
  expect(feeds.walletAgeMs(OTHER, 2_000)).toBe(0);
  expect(feeds.isWalletLate(OTHER, 3_001)).toBe(true);
});

test('each change is told once, and where there is none no list is made', () => {
  const feeds = new FeedAges(BUDGETS, 0);
  const none = feeds.changes(1_000);
  expect(none).toEqual([]);
  expect(feeds.changes(1_001)).toHaveLength(4);
  expect(feeds.changes(1_002)).toBe(none);
  feeds.noteRead('prices', 1_002);
  expect(feeds.changes(1_003)).toEqual([{ feed: 'prices', isLate: false, ageMs: 1, budgetMs: 1_000 }]);
  expect(feeds.changes(1_004)).toBe(none);
});
