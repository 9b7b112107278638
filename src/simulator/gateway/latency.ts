/** How long requests and replies travel. */

import type { Random } from '../../core/number/random.ts';

/** A fixed delay, or a log-normal one given by its median and its 99th percentile. All in milliseconds. */
export type DelayModel =
  | { readonly kind: 'fixed'; readonly ms: number }
  | { readonly kind: 'spread'; readonly p50: number; readonly p99: number };

/** How long requests of each kind travel, and how long the bot's view of the exchange lags behind (`response`). */
export interface LatencyModel {
  readonly request: DelayModel;
  /** The delays of placements and of cancellations, where they differ from those of other requests. */
  readonly place?: DelayModel;
  readonly cancel?: DelayModel;
  readonly response: DelayModel;
}

export type RequestKind = 'place' | 'cancel' | 'other';

/** The delay model of a kind of request. */
export function requestDelay(latency: LatencyModel, kind: RequestKind): DelayModel {
  switch (kind) {
    case 'place':
      return latency.place ?? latency.request;
    case 'cancel':
      return latency.cancel ?? latency.request;
    case 'other':
      return latency.request;
  }
}

/** The 99th percentile of the standard normal. */
const NORMAL_P99 = 2.3263478740408408;

/**
 * Draws the time from seeing something until a request arrives, in ms. In the simulator's frame of time the bot sees a
 * message when it is published, and is charged afterwards for the delay with which it would really have seen it: the
 * response delay plus the request delay.
 */
export function drawArrivalMs(latency: LatencyModel, kind: RequestKind, random: Random): number {
  return draw(latency.response, random) + draw(requestDelay(latency, kind), random);
}

function draw(model: DelayModel, random: Random): number {
  if (model.kind === 'fixed') return model.ms;
  const sigma = Math.log(model.p99 / model.p50) / NORMAL_P99;
  return Math.round(model.p50 * Math.exp(sigma * random.normal()));
}
