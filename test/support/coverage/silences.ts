/** What cannot be seen at all, each with its reason: no operation shows it, or the rules never let it come about. */

import type { Endpoint } from '../../../src/betdex/wire/endpoint.ts';
import { answerPathsOf, endpointOf, itemsOfProfile, itemsOfSpecification } from './items.ts';
import { item } from './notebook.ts';

const NO_OPERATION = 'the specification shows no operation that gives it';
const HALF = 'only half settlements end so, and the sandbox offers none (profile section 6)';
const UNBOOKED = "the vendor's word; nothing in the profile's section 7 books it";
const VOIDED = 'a void turns the order into Voided, which shows no reason (profile section 6)';
const REPLAYED =
  'a suspension of the sandbox leaves resting orders (profile section 6); only the replay of a recording gives it';
const OPEN_ONLY = 'an order is placed and cancelled in markets that are not settled yet';
const NEVER_TRADED = 'only an order without a trade ends Cancelled or Failed';
const NEVER_CANCELLED = 'the history of settled orders has Won, Lost and Voided ones alone';

/** By the item's name. The test fails where one of them is seen after all. */
export const SILENCES: ReadonlyMap<string, string> = new Map([
  ...['apps', 'currencies', 'externalReferences', 'marketOutcomes', 'statuses', 'withdrawalRequests'].map(
    (word) => [item.word('PrimaryDocument', word), NO_OPERATION] as const,
  ),
  ...['HalfWon', 'HalfLost', 'Push'].map((word) => [item.word('OrderStatus', word), HALF] as const),
  ...['TradeVoid', 'TradeWin'].map((word) => [item.word('TransactionCode', word), UNBOOKED] as const),
  [item.word('CancellationReason', 'MarketVoided'), VOIDED],
  [item.word('CancellationReason', 'MarketSuspended'), REPLAYED],
  [item.field('OrderSettled', 'cancellationReason'), NEVER_CANCELLED],
  ...(['createOrder', 'createOrders', 'cancelOrdersInFull'] as const).map(
    (operation) => [item.inAnswer(operation, 'markets[].settledAt'), OPEN_ONLY] as const,
  ),
  [item.inAnswer('listSettledOrders', 'orders[].cancellationReason'), NEVER_CANCELLED],
  [item.inAnswer('listHistoricalOrders', 'documents.orders[].cancellationReason'), NEVER_CANCELLED],
  ...below('listCancelledOrders', 'documents.trades[]', NEVER_TRADED),
  ...below('createWallet', 'wallets[].balances[]', 'a wallet that was just made holds nothing'),
  ...unpaged(),
]);

function below(operation: 'listCancelledOrders' | 'createWallet', path: string, reason: string) {
  const paths = answerPathsOf(operation).filter((each) => each.startsWith(path));
  return paths.map((each) => [item.inAnswer(operation, each), reason] as const);
}

/** `_page` stands in the one form of `_meta`, and is sent where an operation has pages. */
function unpaged(): readonly (readonly [string, string])[] {
  const operations = [...itemsOfSpecification().operations, ...itemsOfProfile().operations];
  const whole = operations.filter((operation) => {
    const { query, answer }: Endpoint = endpointOf(operation);
    return answer.meta !== 'keyset' && !Object.hasOwn(query?.properties ?? {}, 'page');
  });
  return whole.flatMap((operation) =>
    answerPathsOf(operation)
      .filter((path) => path.startsWith('_meta._page'))
      .map((path) => [item.inAnswer(operation, path), 'the answer is no page of a list'] as const),
  );
}
