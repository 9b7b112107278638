/** Pairs the items of the answer to a batch with its requests. */

import { faultsText } from '../../../codec/fault.ts';
import { Unreadable } from '../../../codec/lenient.ts';
import { isAbsent, isObject } from '../../../codec/schema-node.ts';
import { instant } from '../../../core/number/units.ts';
import type { GatewayNotice } from '../../../exchange-live/notice.ts';
import type { OrderFacts, OrderTerms } from '../../../exchange-live/orders/order-facts.ts';
import type { LenientAnswerOf } from '../../client/call.ts';
import type { requestOf } from '../../wire/messages/new-order-codec.ts';
import { factsOfDocument, fillsByOrder } from './order-documents.ts';

type Answer = LenientAnswerOf<'createOrders'>;
type AnswerItem = Answer['orders'][number];
type Request = ReturnType<typeof requestOf>;

export type ReadItem =
  | { readonly kind: 'failure'; readonly code: string }
  | { readonly kind: 'order'; readonly facts: OrderFacts };

export interface AnsweredBatch {
  readonly terms: readonly OrderTerms[];
  /** The requests as they were written, in the order of the batch. */
  readonly requests: readonly Request[];
  readonly answer: Answer;
  readonly note: (notice: GatewayNotice) => void;
  /** When the answer came, ms. */
  readonly readAt: number;
}

/**
 * What the answer says of each request; undefined where it says nothing that is certain. An order belongs to the request whose
 * reference it bears, a failure to the one that its further object identifies (specification, Order failure). An item that
 * identifies none belongs to the request at its position (profile section 2), unless an item that does identify one stands
 * elsewhere, or there are not as many items as requests: then positions say nothing.
 */
export function pairedItems(batch: AnsweredBatch): readonly (ReadItem | undefined)[] {
  const { terms, answer, note } = batch;
  const items = answer.orders;
  const identified = items.map((item, position) => requestOfItem(item, position, batch));
  const isInOrder = items.length === terms.length && identified.every((at, index) => at === undefined || at === index);
  const fills = fillsByOrder(answer.trades, note);
  const readAt = instant(Math.floor(batch.readAt));
  return terms.map((own, index) => {
    const named = items.filter((_, position) => identified[position] === index);
    const item = named.length === 0 && isInOrder ? items[index] : named[0];
    if (item === undefined || named.length > 1) return undefined;
    if (item instanceof Unreadable) {
      note({ kind: 'unreadable', what: `item ${index} of a batch`, details: faultsText(item.faults) });
      return undefined;
    }
    if ('errorCode' in item) return { kind: 'failure', code: item.errorCode };
    const facts = factsOfDocument(item, { fills, readAt, termsOf: () => own }, note);
    return facts === undefined ? undefined : { kind: 'order', facts };
  });
}

/** The request that an item identifies; undefined if it identifies none, and ELSEWHERE if it is of none of them. */
function requestOfItem(item: AnswerItem, position: number, { terms, requests }: AnsweredBatch): number | undefined {
  const fields = fieldsOf(item instanceof Unreadable ? item.part : item);
  const reference = fields.get('reference');
  const byReference = terms.findIndex((each) => each.reference === reference);
  if (byReference >= 0) return byReference;
  if (typeof reference === 'string') return ELSEWHERE;
  const fitting = requests.flatMap((request, index) => (fits(fields, request) ? [index] : []));
  if (fitting.includes(position)) return fitting.length === 1 ? position : undefined;
  return fitting.length === 1 ? fitting[0] : ELSEWHERE;
}

const ELSEWHERE = -1;

/** What a request and a failure may have in common. */
const IDENTIFYING = ['walletId', 'marketId', 'side', 'outcomeId', 'price', 'stake'] as const;

function fits(fields: ReadonlyMap<string, unknown>, request: Request): boolean {
  return IDENTIFYING.every((key) => !fields.has(key) || fields.get(key) === request[key]);
}

/** The fields of an item and of the objects in it, since the specification does not show how the further object is merged. */
function fieldsOf(item: object): ReadonlyMap<string, unknown> {
  const own = Object.entries(item);
  const further = own.flatMap(([, value]) => (isObject(value) ? Object.entries(value) : []));
  return new Map([...further, ...own].filter(([, value]) => !isAbsent(value)));
}
