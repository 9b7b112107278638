/** The exchange's API for programs of your own, as `oddsmith/client`: the typed client, the stream, and the live gateway. */

export type { AnswerOf, CallInput, LenientAnswerOf, LenientCaller } from './betdex/client/call.ts';
export type { ClientEvent } from './betdex/client/client-event.ts';
export { type AccessOutcome, RestClient } from './betdex/client/rest-client.ts';
export type { CallTimeouts, RestClientOptions } from './betdex/client/rest-options.ts';
export type { Credentials } from './betdex/client/session.ts';
export type { StreamLink } from './betdex/gateway/base/gateway-context.ts';
export type { GatewaySettings } from './betdex/gateway/base/gateway-settings.ts';
export { type RestGateway, type RestGatewayParts, restGateway } from './betdex/gateway/rest-gateway.ts';
export { batchesOf, idListsFor } from './betdex/lists/id-lists.ts';
export { type Caller, type ListOperation, pages } from './betdex/lists/pages.ts';
export { StreamClient } from './betdex/stream/stream-client.ts';
export type {
  ResyncReason,
  StreamEndCode,
  StreamEvent,
  StreamTroubleCode,
  StreamUpdate,
} from './betdex/stream/stream-event.ts';
export { STREAM_LIMITS, type StreamClientOptions, type StreamLimits } from './betdex/stream/stream-settings.ts';
export type { SubscriptionType } from './betdex/wire/basics/enums.ts';
export type { Operation } from './betdex/wire/endpoints.ts';
export type { WireFault, WireFaultCode } from './codec/fault.ts';
export { sortedOut, Unreadable } from './codec/lenient.ts';
export type { StartingPriceKind, WinnersRange } from './core/market.ts';
export type { MarketState, OwnStake } from './core/market-state.ts';
export type { MinimumStake } from './core/minimum-stake.ts';
export type { Tick } from './core/number/ladder.ts';
export { Random, type RandomState } from './core/number/random.ts';
export type { Instant, Money, Price } from './core/number/units.ts';
export type { CancellationReason } from './core/order.ts';
export type { SideIndex } from './core/side.ts';
export type {
  CancelReply,
  FeedMessage,
  FeedName,
  Gateway,
  HeartbeatReply,
  MarketCause,
  MarketMessage,
  OrderReport,
  OrderRequest,
  PlaceReply,
  PlaceReplyItem,
} from './exchange/gateway.ts';
export type {
  AccountSnapshot,
  AccountSnapshotReply,
  BookedOrder,
  BookedPosition,
  LiveGateway,
} from './exchange/live-gateway.ts';
export type { BudgetSettings } from './exchange-live/connection/budget.ts';
export { CALL_FAULTS, type CallFaultCode, type CallOutcome } from './exchange-live/connection/call-outcome.ts';
export type { Priority } from './exchange-live/connection/priority.ts';
export type { RetrySettings } from './exchange-live/connection/retry.ts';
export { Secret } from './exchange-live/connection/secret.ts';
export type { Sending, Transport, WireReply, WireRequest } from './exchange-live/connection/transport.ts';
export type { GatewayNotice } from './exchange-live/notice.ts';
export {
  type AdaptiveChoice,
  type FeedChoice,
  type MarketWatch,
  type PricesChoice,
  TIMEOUTS,
  type Timeouts,
} from './exchange-live/settings.ts';
export type { Clock } from './time/clock.ts';
export { wallClock } from './time/wall-clock.ts';
