/** Where the coverage's orders are placed: two apps with money, and events and markets that have every optional field. */

import type { AnswerOf } from '../../../src/betdex/client/call.ts';
import type { Json } from '../vendor/vendor-client.ts';
import type { NotingClient, Stage } from './stage.ts';

export interface Trader {
  readonly appId: string;
  readonly apiKey: string;
  readonly walletId: string;
  readonly client: NotingClient;
}

export interface FloorMarket {
  readonly id: string;
  readonly home: string;
  readonly away: string;
}

export type OrderAnswer = AnswerOf<'getOrder'>['orders'][number];

const HOUR_MS = 3_600_000;
const CURRENCY = 'USDC';
const TYPE = 'COVERAGE_TOTALS';

export class Floor {
  readonly stage: Stage;
  readonly #traders: Record<'alpha' | 'beta', Trader>;
  readonly eventId: string;
  #references = 0;

  private constructor(stage: Stage, traders: Record<'alpha' | 'beta', Trader>, eventId: string) {
    this.stage = stage;
    this.#traders = traders;
    this.eventId = eventId;
  }

  /** Owns the markets. */
  get alpha(): Trader {
    return this.#traders.alpha;
  }

  /** Takes the other side. */
  get beta(): Trader {
    return this.#traders.beta;
  }

  static async open(stage: Stage): Promise<Floor> {
    const { control } = stage;
    const alpha = await trader(stage, 'alpha');
    const beta = await trader(stage, 'beta');
    await makeCatalogue(stage);
    const expectedStartTime = soon();
    const { id: eventId } = await control.call('POST', '/events', {
      ...{ ownerAppId: alpha.appId, eventGroupId: 'COVERAGE_CUP', name: 'One v Two', code: 'OVT', expectedStartTime },
      participantIds: ['COVERAGE_ONE', 'COVERAGE_TWO'],
    });
    const actualStartTime = new Date(Date.now() - 2 * HOUR_MS).toISOString();
    const actualEndTime = new Date(Date.now() - HOUR_MS).toISOString();
    await control.call('POST', `/events/${eventId}/times`, { actualStartTime, actualEndTime });
    await refer(stage, 'event', eventId);
    return new Floor(stage, { alpha, beta }, eventId);
  }

  /** Open and published, with every field that a market may have; `extra` fields of the request win. */
  async market(extra: Json = {}): Promise<FloorMarket> {
    const market = await this.stage.control.call('POST', '/markets', {
      ...{
        ownerAppId: this.alpha.appId,
        eventId: this.eventId,
        name: 'Goals',
        marketTypeId: TYPE,
        currencyId: CURRENCY,
      },
      ...{ marketValue: '2.5', marketDiscriminator: 'full time', crossMatchingEnabled: false, lockAt: soon() },
      outcomes: [
        { title: 'Over', participantId: 'COVERAGE_ONE' },
        { title: 'Under', participantId: 'COVERAGE_TWO' },
      ],
      ...extra,
    });
    await refer(this.stage, 'market', market.id);
    return { id: market.id, home: market.outcomes[0].id, away: market.outcomes[1].id };
  }

  move(market: FloorMarket, move: string, body: Json = {}): Promise<Json> {
    return this.stage.control.call('POST', `/markets/${market.id}/${move}`, body);
  }

  /** What an order of a trader's is made from; fields of `changes` win. */
  order(trader: Trader, market: FloorMarket, changes: Json = {}): Json {
    this.#references += 1;
    return {
      ...{ walletId: trader.walletId, marketId: market.id, outcomeId: market.home, side: 'For', price: 3, stake: 10 },
      ...{ keepWhenInPlay: true, matchBehavior: 'RetainUnmatched', reference: `coverage-${this.#references}` },
      ...changes,
    };
  }

  /** Places one and gives it as the batch answered. */
  async place(trader: Trader, market: FloorMarket, changes: Json = {}): Promise<OrderAnswer> {
    const [placed] = await this.batch(trader, [this.order(trader, market, changes)]);
    if (placed === undefined || !('status' in placed)) throw new Error(`not placed: ${JSON.stringify(placed)}`);
    return placed;
  }

  async batch(trader: Trader, requests: readonly Json[]): Promise<AnswerOf<'createOrders'>['orders']> {
    return (await trader.client.ask('createOrders', { body: { requests: [...requests] } })).orders;
  }

  async status(trader: Trader, order: OrderAnswer): Promise<OrderAnswer> {
    const { orders } = await trader.client.ask('getOrder', { path: { id: order.id } });
    if (orders[0] === undefined) throw new Error('an order that was asked for by id is there');
    return orders[0];
  }
}

function soon(): string {
  return new Date(Date.now() + HOUR_MS).toISOString();
}

async function trader(stage: Stage, name: string): Promise<Trader> {
  const { control } = stage;
  const appId = `coverage-${name}`;
  await control.call('POST', '/apps', { id: appId, name });
  await control.call('POST', `/apps/${appId}/commission-rates`, { rate: 2, isDefault: true });
  const wallet = {
    reference: name,
    description: 'for the coverage',
    balances: [{ currencyId: CURRENCY, balance: 5_000 }],
  };
  const { id: walletId } = await control.call('POST', `/apps/${appId}/wallets`, wallet);
  const { secret: apiKey } = await control.call('POST', `/apps/${appId}/keys`, {});
  return { appId, apiKey, walletId, client: stage.client({ appId, apiKey }) };
}

async function makeCatalogue(stage: Stage): Promise<void> {
  const { control } = stage;
  const subcategoryId = 'COVERAGE';
  await control.call('POST', '/subcategories', { id: subcategoryId, name: 'Coverage', categoryId: 'SPORT' });
  await control.call('POST', '/event-groups', { id: 'COVERAGE_CUP', name: 'Coverage Cup', subcategoryId });
  for (const [id, type] of [
    ['COVERAGE_ONE', 'Individual'],
    ['COVERAGE_TWO', 'Team'],
  ])
    await control.call('POST', '/participants', { ...{ id, code: id, name: id, type, subcategoryId } });
  const range = { min: 2, max: 5 };
  await control.call('POST', '/market-types', { id: TYPE, outcomesRange: range, winnersRange: { min: 1, max: 2 } });
  await refer(stage, 'subcategory', subcategoryId);
  await refer(stage, 'eventGroup', 'COVERAGE_CUP');
  await refer(stage, 'participant', 'COVERAGE_ONE');
}

/** Its id in another system is its own with a word before it. */
export function referenceOf(kind: string, id: string): { readonly source: string; readonly reference: string } {
  return { source: 'SANDBOX', reference: `coverage-${kind}-${id}` };
}

async function refer(stage: Stage, target: string, id: string): Promise<void> {
  await stage.control.call('POST', '/external-references', { ...referenceOf(target, id), target, id });
}
