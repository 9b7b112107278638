/** The exchange's API for programs of your own, as `oddsmith/client`: the typed client, the stream, and the live gateway. */

export type { AnswerOf, CallInput } from './betdex/client/call.ts';
export type { ClientEvent } from './betdex/client/client-event.ts';
export { type AccessOutcome, RestClient } from './betdex/client/rest-client.ts';
export type { CallTimeouts, RestClientOptions } from './betdex/client/rest-options.ts';
export type { GatewaySettings } from './betdex/gateway/base/gateway-settings.ts';
export { type RestGateway, type RestGatewayParts, restGateway } from './betdex/gateway/rest-gateway.ts';
export { batchesOf, idListsFor } from './betdex/lists/id-lists.ts';
export { type Caller, type ListOperation, pages } from './betdex/lists/pages.ts';
export { StreamClient } from './betdex/stream/stream-client.ts';
export type { StreamEvent } from './betdex/stream/stream-event.ts';
export { STREAM_LIMITS, type StreamClientOptions, type StreamLimits } from './betdex/stream/stream-settings.ts';
export type { Operation } from './betdex/wire/endpoints.ts';
export { Random } from './core/number/random.ts';
export type { FeedMessage, Gateway, OrderReport, OrderRequest, PlaceReply } from './exchange/gateway.ts';
export type { AccountSnapshotReply, LiveGateway } from './exchange/live-gateway.ts';
export { CALL_FAULTS, type CallFaultCode, type CallOutcome } from './exchange-live/connection/call-outcome.ts';
export type { Priority } from './exchange-live/connection/priority.ts';
export { Secret } from './exchange-live/connection/secret.ts';
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
