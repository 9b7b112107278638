/** Funds that are read while an order is answered: what the order holds never looks free. */

import { delay } from 'rxjs';
import { expect, test } from 'vitest';
import type { BetfairCaller } from '../../../src/betfair/client/call.ts';
import { betfairGateway } from '../../../src/betfair/gateway/betfair-gateway.ts';
import type { FeedMessage } from '../../../src/exchange/gateway.ts';
import { TIMEOUTS } from '../../../src/exchange-live/settings.ts';
import { BetfairStage } from '../../support/conformance/betfair-stage.ts';
import { order, units } from '../../support/conformance/stage.ts';

const SLOW_MS = 700;
const POLLED = { kind: 'poll', everyMs: 1_000 } as const;

test('they are read again, so that the wallet is told with the order', async () => {
  const stage = new BetfairStage(POLLED);
  await stage.market();
  const { client, clock } = stage;
  // The answer about funds is old when it comes.
  const calls: BetfairCaller = {
    call: (operation, params, options) => {
      const outcome$ = client.call(operation, params, options);
      return operation === 'getAccountFunds' ? outcome$.pipe(delay(SLOW_MS, clock)) : outcome$;
    },
  };
  const feeds = { markets: POLLED, prices: POLLED, orders: POLLED, wallets: POLLED };
  const gateway = betfairGateway({
    ...{ clock, calls, skewMs: () => 0 },
    settings: {
      ...{ wallets: ['main'], currency: 'GBP', watch: { marketTypeIds: ['CONFORMANCE'] }, feeds },
      ...{ referencePrefix: 'funds-1', strategies: ['case'], timeouts: TIMEOUTS },
    },
  });
  const said: FeedMessage[] = [];
  gateway.feed$.subscribe((message) => said.push(message));
  const wallets = () => said.filter((message) => message.kind === 'wallet');
  await stage.until(() => wallets().length > 0 && said.some(({ kind }) => kind === 'market'), 'wallet and market');
  expect(wallets()).toMatchObject([{ balanceAvailable: units(stage.balance) }]);

  let asked = 0;
  const isAsked = () => stage.transport.sent.filter(({ body = '' }) => body.includes('getAccountFunds')).length > asked;
  for (let client = 1; client <= 5; client += 1) {
    asked = stage.transport.sent.filter(({ body = '' }) => body.includes('getAccountFunds')).length;
    await stage.until(isAsked, 'a reading of funds');
    await stage.pass(20);
    const before = said.length;
    let isAccepted = false;
    gateway.place([order(client, { price: 10 + client })]).subscribe((reply) => {
      isAccepted = reply.kind === 'placed';
    });
    await stage.until(() => isAccepted, 'the order');
    await stage.pass(3 * SLOW_MS);
    const told = said.slice(before).filter((message) => message.kind === 'wallet');
    expect(told.map(({ balanceAvailable }) => balanceAvailable)).toEqual([units(stage.balance - 10 * client)]);
  }
  await stage.close();
});
