/** The faults of the way to the Betfair face, in the words of the suite, and what stands in our account there. */

import type { WireRequest } from '../../../src/exchange-live/connection/transport.ts';
import type { GatewayNotice } from '../../../src/exchange-live/notice.ts';
import { betIdOf } from '../../../src/sandbox-betfair/names/market-names.ts';
import { referencesIn } from '../../../src/sandbox-betfair/state/bet-references.ts';
import { operationIn, type Struck } from '../betfair/face-transport.ts';
import { ordersOfWallet } from '../exchange-orders.ts';
import type { SandboxWorld } from './sandbox-world.ts';
import type { MarketControl, SentCall, WireControl } from './stage.ts';

/** Betfair's operations by those of the suite. */
const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  createOrders: ['placeOrders'],
  cancelOrders: ['cancelOrders'],
  listOrders: ['listCurrentOrders', 'listClearedOrders'],
  listPrices: ['listMarketBook'],
  listMarkets: ['listMarketCatalogue'],
};

const KINDS: Readonly<Record<string, SentCall['kind']>> = {
  placeOrders: 'place',
  cancelOrders: 'cancel',
  listCurrentOrders: 'readOrders',
  listClearedOrders: 'readOrders',
  listMarketBook: 'readMarkets',
  listMarketCatalogue: 'readMarkets',
};

interface Fault {
  readonly kind: 'dropBefore' | 'dropAfter' | 'status' | 'orderError';
  readonly operations: readonly string[];
  readonly status?: number;
  readonly code?: string;
  left: number;
}

export interface BetfairWireParts {
  readonly world: SandboxWorld;
  readonly prefix: string;
  readonly notices: readonly GatewayNotice[];
  /** The sandbox's ids of the markets by Betfair's. */
  readonly sandboxIds: ReadonlyMap<string, string>;
  readonly proofMs: number;
  /** The requests so far. */
  readonly sent: () => readonly WireRequest[];
  /** Cuts the stream; undefined where none is used. */
  readonly cutStream: (() => void) | undefined;
}

export class BetfairWire implements WireControl {
  readonly cutStream: (() => Promise<void>) | undefined;
  readonly prefix: string;
  readonly proofMs: number;
  readonly #parts: BetfairWireParts;
  #faults: Fault[] = [];

  constructor(parts: BetfairWireParts) {
    this.#parts = parts;
    this.prefix = parts.prefix;
    this.proofMs = parts.proofMs;
    const { cutStream } = parts;
    this.cutStream = cutStream && (async () => cutStream());
  }

  /** What becomes of a request. */
  readonly strike = (request: WireRequest): Struck | undefined => {
    const operation = operationIn(request);
    const fault = this.#faults.find(({ operations, left }) => left > 0 && operations.includes(operation));
    if (fault === undefined) return undefined;
    fault.left -= 1;
    const lost = { kind: 'lost', details: 'the connection was cut' } as const;
    switch (fault.kind) {
      case 'dropBefore':
        return { isCarriedOut: false, reply: lost };
      case 'dropAfter':
        return { isCarriedOut: true, reply: lost };
      case 'status':
        return { isCarriedOut: false, reply: { kind: 'reply', status: fault.status ?? 500, body: '' } };
      case 'orderError':
        return { isCarriedOut: true, ...withoutFirst(request, fault.code ?? '') };
    }
  };

  async fault(body: Readonly<Record<string, unknown>>): Promise<void> {
    const { kind, operations = ['createOrders'], count = Number.POSITIVE_INFINITY, ...more } = body;
    const named = (operations as readonly string[]).flatMap((each) => OPERATIONS[each] ?? []);
    this.#faults.push({ ...more, kind: kind as Fault['kind'], operations: named, left: Number(count) });
  }

  async heal(): Promise<void> {
    this.#faults = [];
  }

  references(): readonly string[] {
    const { exchange, wallet } = this.#parts.world;
    return ordersOfWallet(exchange, wallet).map(({ reference }) => referencesIn(reference).order ?? '');
  }

  async placeAs(reference: string, market: MarketControl): Promise<void> {
    this.#parts.world.placeOwn(`other-${reference}  ${reference}`, this.#parts.sandboxIds.get(market.id) ?? '');
  }

  foreignOrders(): readonly number[] {
    const { exchange, crowd } = this.#parts.world;
    const wallets = exchange.app(crowd)?.wallets ?? [];
    return wallets.flatMap((wallet) => ordersOfWallet(exchange, wallet).map(({ id }) => Number(betIdOf(id))));
  }

  readonly calls = (): readonly SentCall[] =>
    this.#parts.sent().map((request): SentCall => {
      const { marketId, marketIds, instructions } =
        JSON.parse(/^\{/.test(request.body ?? '') ? (request.body ?? '') : '{}').params ?? {};
      return {
        kind: KINDS[operationIn(request)] ?? 'other',
        markets: [...(marketId === undefined ? [] : [marketId]), ...(marketIds ?? [])],
        orders: instructions?.length ?? 0,
      };
    });

  notices(): readonly GatewayNotice[] {
    return this.#parts.notices;
  }
}

/** The exchange carries out all instructions but the first, which fails with a code. */
function withoutFirst(request: WireRequest, code: string): Pick<Struck, 'request' | 'answer'> {
  const call = JSON.parse(request.body ?? '{}');
  const [first, ...others] = call.params.instructions;
  const body = JSON.stringify({ ...call, params: { ...call.params, instructions: others } });
  return {
    request: { ...request, body },
    answer: (text) => {
      const { result, ...envelope } = JSON.parse(text);
      const failed = { status: 'FAILURE', errorCode: code, instruction: first };
      const instructionReports = [failed, ...result.instructionReports];
      const report = {
        ...result,
        status: 'PROCESSED_WITH_ERRORS',
        errorCode: 'PROCESSED_WITH_ERRORS',
        instructionReports,
      };
      return JSON.stringify({ ...envelope, result: report });
    },
  };
}
