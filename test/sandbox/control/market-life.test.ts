/** What a market's type allows the control surface to create, and what it may still do with a closed market. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStand, type Stand } from '../http/stand.ts';

let stand: Stand;

beforeAll(async () => {
  stand = await openStand();
});
afterAll(() => stand.close());

interface Made {
  readonly id: string;
  readonly outcomes: readonly { readonly id: string }[];
}

/** Creates a market of three outcomes with a type of its own, on the first event of the default world. */
async function makeMarket(marketTypeId: string, winnersRange: object): Promise<Made> {
  await stand.made('/market-types', { id: marketTypeId, outcomesRange: { min: 2, max: 5 }, winnersRange });
  const outcomes = [{ title: 'A' }, { title: 'B' }, { title: 'C' }];
  const lockAt = new Date(Date.now() + 3_600_000).toISOString();
  return stand.made('/markets', { eventId: '1', name: 'Places', marketTypeId, currencyId: 'USDC', lockAt, outcomes });
}

test('a Closed market can neither be suspended nor go in play, nor have its times set', async () => {
  const market = await makeMarket('ONE', { min: 1, max: 1 });
  const move = (name: string, body: object = {}) => stand.control('POST', `/markets/${market.id}/${name}`, body);
  for (const name of ['void', 'close']) expect((await move(name)).status).toBe(200);
  const before = await stand.control('GET', `/markets/${market.id}`);
  for (const [name, body] of [
    ['suspend', {}],
    ['unsuspend', {}],
    ['in-play', {}],
    ['pre-play', {}],
    ['delay', { inPlayDelay: 3 }],
    ['lock-at', { lockAt: new Date(Date.now() + 7_200_000).toISOString() }],
    ['open', {}],
    ['lock', {}],
    ['void', {}],
    ['close', {}],
  ] as const) {
    const answer = await move(name, body);
    expect([name, answer.status, answer.json.details]).toEqual([name, 409, ['the exchange refuses it: INVALID_MOVE']]);
  }
  expect((await stand.control('GET', `/markets/${market.id}`)).json).toEqual(before.json);
  // Publication does not depend on the status.
  expect((await move('unpublish')).json).toMatchObject({ published: false, status: 'Closed' });
});

test.each([
  [{ min: 2, max: 2 }, 2],
  [{ min: 2, max: 3 }, 2],
  [{ min: 1, max: 3 }, 1],
  [{ min: 0, max: 1 }, 1],
])('a market whose type pays %j winners pays as few as it can, unless it says', async (winnersRange, places) => {
  const market = await makeMarket(`PAYS${winnersRange.min}${winnersRange.max}`, winnersRange);
  const record = [...stand.sandbox.context.world.catalogue.markets.values()].at(-1);
  expect([record?.id, record?.winners]).toEqual([market.id, { min: places, max: places }]);
  await stand.made(`/markets/${market.id}/lock`, {});
  const winners = market.outcomes.slice(0, places).map(({ id }) => id);
  expect(await stand.made(`/markets/${market.id}/settle`, { winners })).toMatchObject({ status: 'Settled' });
});
