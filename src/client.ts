/** The exchange's API for programs of one's own, as `oddsmith/client`: the typed client, the stream, and the live gateway. */

export { Random } from './core/number/random.ts';
export type { FeedMessage, Gateway, OrderReport, OrderRequest, PlaceReply } from './exchange/gateway.ts';
export type { BooksReply, LiveGateway } from './exchange/live-gateway.ts';
export type { AnswerOf, CallInput } from './rest/call.ts';
export { CALL_FAULTS, type CallFaultCode, type CallOutcome } from './rest/call-outcome.ts';
export type { ClientEvent } from './rest/client-event.ts';
export type { GatewaySettings } from './rest/gateway/gateway-settings.ts';
export type { GatewayNotice } from './rest/gateway/notice.ts';
export { type RestGateway, type RestGatewayParts, restGateway } from './rest/gateway/rest-gateway.ts';
export {
  type AdaptiveChoice,
  type FeedChoice,
  MARGINS,
  type Margins,
  type MarketWatch,
  type PricesChoice,
} from './rest/gateway/settings.ts';
export { batchesOf, idListsFor } from './rest/id-lists.ts';
export { type Caller, type ListOperation, pages } from './rest/pages.ts';
export type { Priority } from './rest/priority.ts';
export { type AccessOutcome, RestClient } from './rest/rest-client.ts';
export type { CallTimeouts, RestClientOptions } from './rest/rest-options.ts';
export { Secret } from './rest/secret.ts';
export { StreamClient } from './rest/stream/stream-client.ts';
export type { StreamEvent } from './rest/stream/stream-event.ts';
export { STREAM_LIMITS, type StreamClientOptions, type StreamLimits } from './rest/stream/stream-settings.ts';
export type { Clock } from './time/clock.ts';
export { wallClock } from './time/wall-clock.ts';
export type { Operation } from './wire/endpoints.ts';
