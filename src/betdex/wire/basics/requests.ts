/** The bodies of requests, with their limits. Null in an optional field is read as absent. */

import { Type } from '@sinclair/typebox';
import { defaulting, id, maybe, request, text } from '../../../codec/notation.ts';
import { MatchBehaviorWord, SideWord } from './enums.ts';

export const BATCH_MAX = 50;
export const HEARTBEAT_TIMEOUT_MS_MIN = 10_000;
export const HEARTBEAT_TIMEOUT_MS_MAX = 300_000;
/**
 * Our own limit, since the exchange's is not known. However it is escaped, a reference of this length fits into a URL of 7,000
 * characters.
 */
export const REFERENCE_MAX = 255;
export const DESCRIPTION_MAX = 1_000;

const reference = Type.String({ maxLength: REFERENCE_MAX });

/** The types only: `new-order-codec.ts` checks the ladder and the precision of price and stake. */
export const CreateOrderRequest = request('CreateOrderRequest', {
  walletId: id,
  marketId: id,
  side: SideWord,
  outcomeId: id,
  price: Type.Number({ description: 'One of the 350 prices of the ladder.' }),
  stake: Type.Number({ exclusiveMinimum: 0, description: "The backer's stake, at most three decimals." }),
  // The specification lists it as required and describes it as optional: we always send it and do not require it.
  keepWhenInPlay: Type.Boolean({ default: false }),
  matchBehavior: defaulting(MatchBehaviorWord, 'RetainUnmatched'),
  // A reference that is empty could not be looked up by its URL.
  reference: maybe(Type.String({ minLength: 1, maxLength: REFERENCE_MAX })),
  commissionRateId: maybe(Type.Unsafe<string>({ type: ['string', 'null'] })),
});

export const BatchBody = request('CreateOrdersRequest', {
  requests: Type.Array(CreateOrderRequest, { minItems: 1, maxItems: BATCH_MAX }),
});

/** Any of the four arrays: an order is cancelled if any of the given arrays holds it (profile section 2). */
export const CancelBody = Type.Object(
  {
    walletIds: maybe(Type.Array(id)),
    eventIds: maybe(Type.Array(id)),
    marketIds: maybe(Type.Array(id)),
    orderIds: maybe(Type.Array(id)),
  },
  { title: 'CancelOrdersRequest', minProperties: 1 },
);

/** `walletId` only with a wallet's key; with an app's key it is refused. */
export const SessionBody = request('CreateSessionRequest', { appId: id, apiKey: text, walletId: maybe(id) });
export const RefreshBody = request('RefreshSessionRequest', { refreshToken: text });

export const HeartbeatBody = request('HeartbeatRequest', {
  timeoutMs: Type.Integer({ minimum: HEARTBEAT_TIMEOUT_MS_MIN, maximum: HEARTBEAT_TIMEOUT_MS_MAX }),
});

export const WalletBody = request('CreateWalletRequest', {
  reference: maybe(reference),
  description: maybe(Type.String({ maxLength: DESCRIPTION_MAX })),
});
export const ApiKeyBody = request('CreateApiKeyRequest', { appId: id });
export const DeactivateApiKeyBody = request('DeactivateApiKeyRequest', { appId: id, apiKey: text });
