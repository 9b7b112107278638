/** The bodies of requests, with their limits. Null in an optional field is read as absent. */

import { Type } from '@sinclair/typebox';
import { defaulting, id, maybe, request, text } from '../codec/notation.ts';
import { MatchBehaviorWord, SideWord } from './enums.ts';

export const BATCH_MAX = 50;
export const HEARTBEAT_TIMEOUT_MS_MIN = 10_000;
export const HEARTBEAT_TIMEOUT_MS_MAX = 300_000;
/** Ours, the exchange's are not known. However it is escaped, a reference fits into an address of 7,000 characters. */
export const REFERENCE_MAX = 255;
export const DESCRIPTION_MAX = 1_000;

const reference = Type.String({ maxLength: REFERENCE_MAX });

/** Types only: ladder and precision of price and stake are checked by `new-order-codec.ts`. */
export const CreateOrderRequest = request('CreateOrderRequest', {
  walletId: id,
  marketId: id,
  side: SideWord,
  outcomeId: id,
  price: Type.Number({ description: 'One of the 350 prices of the ladder.' }),
  stake: Type.Number({ exclusiveMinimum: 0, description: "The backer's stake, at most three decimals." }),
  // The specification lists it as required and describes it as optional: we always send it and do not insist on it.
  keepWhenInPlay: Type.Boolean({ default: false }),
  matchBehavior: defaulting(MatchBehaviorWord, 'RetainUnmatched'),
  // One that is empty could never be asked for by its address.
  reference: maybe(Type.String({ minLength: 1, maxLength: REFERENCE_MAX })),
  commissionRateId: maybe(Type.Unsafe<string>({ type: ['string', 'null'] })),
});

export const BatchBody = request('CreateOrdersRequest', {
  requests: Type.Array(CreateOrderRequest, { minItems: 1, maxItems: BATCH_MAX }),
});

/** Any of the four arrays; an order is meant when any of those given holds it (profile section 2). */
export const CancelBody = Type.Object(
  {
    walletIds: maybe(Type.Array(id)),
    eventIds: maybe(Type.Array(id)),
    marketIds: maybe(Type.Array(id)),
    orderIds: maybe(Type.Array(id)),
  },
  { title: 'CancelOrdersRequest', minProperties: 1 },
);

/** `walletId` with a wallet's key only; an app's key rejects it. */
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
