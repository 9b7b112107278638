/** An exchange that answers each operation as a test says, after some time on a simulated clock, and records the calls. */

import { Observable } from 'rxjs';
import { readAnswer } from '../../../src/betdex/client/answer-reader.ts';
import type { CallInput, LenientAnswerOf, LenientCaller } from '../../../src/betdex/client/call.ts';
import type { Operation } from '../../../src/betdex/wire/endpoints.ts';
import { faultsText } from '../../../src/codec/fault.ts';
import type { CallOutcome } from '../../../src/exchange-live/connection/call-outcome.ts';
import type { SimulatedClock } from '../../../src/time/simulated-clock.ts';

/** The parts of a call's input that tests look at. */
export interface AskedInput {
  readonly query?: Readonly<Record<string, readonly string[] | undefined>>;
  readonly timeoutMs?: number;
}

type Handler = (input: AskedInput) => CallOutcome<unknown> | 'never';

export interface Asked {
  readonly operation: Operation;
  readonly at: number;
  readonly input: AskedInput;
}

export const LATENCY_MS = 20;

export function answered(answer: unknown): CallOutcome<unknown> {
  return { kind: 'answered', answer };
}

export const TIMED_OUT: CallOutcome<unknown> = { kind: 'failed', code: 'TIMEOUT', details: 'late', mayHaveActed: true };
export const CUT: CallOutcome<unknown> = {
  kind: 'failed',
  code: 'CONNECTION_LOST',
  details: 'cut',
  mayHaveActed: true,
};
export const DOWN: CallOutcome<unknown> = { kind: 'failed', code: 'NOT_SENT', details: 'down', mayHaveActed: false };

export function paged(documents: object): CallOutcome<unknown> {
  const [rows] = Object.values(documents) as unknown[][];
  const _page = { _pageNumber: 0, _pageSize: 500, _totalElements: rows?.length ?? 0, _totalPages: 1 };
  return answered({ _meta: { _primary_document: 'orders', _count: rows?.length ?? 0, _page }, ...documents });
}

const NO_TREE = { events: [], eventGroups: [], subcategories: [], categories: [] };

export class ScriptedExchange implements LenientCaller {
  readonly reading = 'lenient';
  readonly asked: Asked[] = [];
  readonly #clock: SimulatedClock;
  readonly #handlers = new Map<Operation, Handler>();
  /** The document of the only market. */
  market: Readonly<Record<string, unknown>> = MARKET;

  constructor(clock: SimulatedClock) {
    this.#clock = clock;
    this.on('listMarkets', () => paged({ markets: [this.market], ...BESIDE_MARKETS }));
    this.on('listPrices', () => pricesAnswer());
    this.on('listOrders', () => ordersAnswer([]));
    this.on('cancelOrders', () => answered({ _meta: { _primary_document: 'ids', _count: 0 }, ids: [] }));
    this.on('listWallets', () =>
      paged({
        wallets: [
          {
            id: 'w-1',
            appId: 'app-1',
            type: 'User',
            balances: [
              { currencyId: 'USDC', balance: 1000, balanceAvailable: 1000, overdraft: 0, unmatchedExposure: 0 },
            ],
          },
        ],
      }),
    );
  }

  on(operation: Operation, handler: Handler): void {
    this.#handlers.set(operation, handler);
  }

  /** When each call of the operation was made, ms after the start. */
  times(operation: Operation, start: number, filter: (input: AskedInput) => boolean = () => true): number[] {
    return this.asked.filter((each) => each.operation === operation && filter(each.input)).map(({ at }) => at - start);
  }

  call<O extends Operation>(operation: O, input: CallInput<O>): Observable<CallOutcome<LenientAnswerOf<O>>> {
    return new Observable((subscriber) => {
      const asked = input as AskedInput;
      this.asked.push({ operation, at: this.#clock.now(), input: asked });
      const outcome = this.#handlers.get(operation)?.(asked) ?? DOWN;
      if (outcome === 'never') return undefined;
      return this.#clock.schedule(() => {
        subscriber.next(asRead(operation, outcome) as CallOutcome<LenientAnswerOf<O>>);
        subscriber.complete();
      }, LATENCY_MS);
    });
  }
}

/** An answer goes through the codec, as over the wire. */
function asRead(operation: Operation, outcome: CallOutcome<unknown>): CallOutcome<unknown> {
  if (outcome.kind !== 'answered') return outcome;
  const result = readAnswer(operation, JSON.stringify(outcome.answer), 'lenient');
  if (result.kind === 'read') return answered(result.value);
  return { kind: 'failed', code: 'BAD_ANSWER', details: faultsText(result.faults), mayHaveActed: true };
}

export const MARKET = {
  id: '8801',
  ownerAppId: 'house',
  event: { _ref: 'events.id', _ids: ['501'] },
  name: 'Full time result',
  marketType: { _ref: 'marketTypes.id', _ids: ['RESULT'] },
  currencyId: 'USDC',
  inPlayStatus: 'InPlay',
  inPlayDelay: 0,
  crossMatchingEnabled: false,
  published: true,
  suspended: false,
  lockAt: '2030-01-01T00:00:00.000Z',
  marketLockAction: 'None',
  eventStartAction: 'None',
  status: 'Open',
  marketOutcomes: { _ref: 'marketOutcomes.id', _ids: ['1', '2'] },
  createdAt: '2026-01-01T00:00:00.000Z',
  modifiedAt: '2026-01-01T00:00:00.000Z',
};

const participant = { _ref: 'participants.id', _ids: [] };

export const BESIDE_MARKETS = {
  ...NO_TREE,
  marketTypes: [{ id: 'RESULT', outcomesRange: { min: 2, max: 2 }, winnersRange: { min: 1, max: 1 } }],
  marketOutcomes: [
    { id: '1', title: 'Home', ordering: 0, participant },
    { id: '2', title: 'Away', ordering: 1, participant },
  ],
};

export function priceRow(side: string, price: number, amount: number) {
  return { side, outcomeId: '1', price, amount, matched: 7 };
}

/** The answer with the book of the only market. */
export function pricesAnswer(...prices: readonly object[]): CallOutcome<unknown> {
  const book = { marketId: '8801', liquidity: 0, traded: 0, prices };
  return answered({ _meta: { _primary_document: 'prices', _count: 1 }, prices: [book] });
}

export function orderDocument(change: Readonly<Record<string, unknown>>) {
  return {
    id: '730001',
    appId: 'app-1',
    market: { _ref: 'markets.id', _ids: ['8801'] },
    walletId: 'w-1',
    side: 'For',
    outcomeId: '1',
    outcomeTitle: 'Home',
    price: 2,
    stake: 10,
    stakeUnmatched: 10,
    stakeVoided: 0,
    keepWhenInPlay: false,
    createdAt: '2026-03-24T14:45:01.000Z',
    modifiedAt: '2026-03-24T14:45:01.000Z',
    status: 'Unmatched',
    matchBehavior: 'RetainUnmatched',
    reference: 'run7-scalp_it-1',
    ...change,
  };
}

export function ordersAnswer(orders: readonly object[], trades: readonly object[] = []): CallOutcome<unknown> {
  return paged({ orders, markets: [], trades, ...NO_TREE });
}
