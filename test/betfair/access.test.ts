/** Who may trade on Betfair: an account in pounds with a live key; all others are told why not, and what they can do. */

import { firstValueFrom, type Observable } from 'rxjs';
import { expect, test } from 'vitest';
import { type BetfairAccess, checkAccess, checkWallet } from '../../src/betfair/access.ts';
import { BetfairClient } from '../../src/betfair/client/betfair-client.ts';
import { Random } from '../../src/core/number/random.ts';
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
  return { client, answer };
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

test('a delayed key may not trade, and is told what it may do', async () => {
  const delayed = (text: string) => text.replaceAll('"isMarketDataDelayed":false', '"isMarketDataDelayed":true');
  const { client, answer } = opened('GBP', () => ({ isCarriedOut: true, answer: delayed }));
  // It logs in, and follows markets as any other: a recording and a run on paper ask for no wallet.
  expect(await answer(checkAccess(client, ACCESS))).toMatchObject({ kind: 'granted' });
  expect(await answer(checkWallet(client, 'main'))).toEqual({
    kind: 'absent',
    details: 'the application key is a delayed one: it may record and run on paper only',
  });
});
