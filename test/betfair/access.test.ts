/** Who may trade on Betfair: an account in pounds with a live key; all others are told why not, and what they can do. */

import { firstValueFrom, type Observable } from 'rxjs';
import { expect, test } from 'vitest';
import { type BetfairAccess, checkAccess, checkWallet } from '../../src/betfair/access.ts';
import { BetfairClient } from '../../src/betfair/client/betfair-client.ts';
import { marketFeed } from '../../src/betfair/gateway/market-feed.ts';
import { Random } from '../../src/core/number/random.ts';
import { TIMEOUTS } from '../../src/exchange-live/settings.ts';
import { USUAL_TERMS } from '../../src/sandbox-betfair/names/account-terms.ts';
import { FaceTransport, type Struck } from '../support/betfair/face-transport.ts';
import { FaceStage } from '../support/sandbox-betfair/face-stage.ts';

const ACCESS: BetfairAccess = {
  ...{ appKey: 'an-app-key', username: 'mary', password: 'secret-word' },
  ...{ url: undefined, authority: undefined, proxy: undefined },
};

function opened(currency: string, strike?: () => Struck) {
  const stage = new FaceStage({ accounts: new Map([['mary', { ...USUAL_TERMS, currency }]]) });
  const { clock } = stage.builder;
  const transport = new FaceTransport({ face: stage.face, clock, ...(strike && { strike }) });
  const budget = { perSecond: 100, burst: 100 };
  const client = new BetfairClient({ credentials: ACCESS, clock, random: Random.fromSeed(1), budget }, transport);
  /** The answer, letting time pass until it comes. */
  const answer = <T>(asked: Observable<T>): Promise<T> => {
    const answered = firstValueFrom(asked);
    clock.runUntil(clock.now() + 5_000);
    return answered;
  };
  return { client, answer, clock };
}

test('an account in pounds is let in', async () => {
  const { client, answer } = opened('GBP');
  expect(await answer(checkAccess(client, ACCESS))).toMatchObject({ kind: 'granted' });
  expect(await answer(checkWallet(client, 'main'))).toEqual({ kind: 'shown' });
});

test.each(['EUR', 'AUD'])('an account in %s is refused with the reason, and what is supported', async (currency) => {
  const { client, answer } = opened(currency);
  expect(await answer(checkAccess(client, ACCESS))).toMatchObject({
    ...{ kind: 'failed', isRefused: true },
    details: `the account is in ${currency}, and prices at Betfair are in GBP`,
    next: 'Only accounts in GBP are supported.',
  });
});

const delayed = (text: string) => text.replaceAll('"isMarketDataDelayed":false', '"isMarketDataDelayed":true');
const strike = () => ({ isCarriedOut: true, answer: delayed });

test('a delayed key may not trade, and is told what it may do', async () => {
  const { client, answer } = opened('GBP', strike);
  // It logs in, and follows markets as any other: a recording and a run on paper ask for no wallet.
  expect(await answer(checkAccess(client, ACCESS))).toMatchObject({ kind: 'granted' });
  expect(await answer(checkWallet(client, 'main'))).toEqual({
    kind: 'absent',
    details: 'the application key is a delayed one: it may record and run on paper only',
  });
});

test.each([
  [strike, 1],
  [undefined, 0],
])('a recording or a run on paper is told once that its prices come late', (struck, times) => {
  const { client, clock } = opened('GBP', struck);
  const poll = { kind: 'poll', everyMs: 1_000 } as const;
  const settings = { currency: 'GBP', watch: {}, feeds: { markets: poll, prices: poll }, timeouts: TIMEOUTS };
  const { notices$, updates$ } = marketFeed({ clock, calls: client, skewMs: () => 0, settings });
  const kinds: string[] = [];
  notices$.subscribe(({ kind }) => kinds.push(kind));
  const reading = updates$.subscribe();
  clock.runUntil(clock.now() + 10_000);
  reading.unsubscribe();
  expect(kinds.filter((kind) => kind === 'delayedPrices')).toHaveLength(times);
});
