/** How long requests and replies are on their way. */

import type { Random } from '../core/random.ts';

/** A fixed delay, or a log-normal one named by its median and its 99th percentile. Milliseconds. */
export type DelayModel =
  | { readonly kind: 'fixed'; readonly ms: number }
  | { readonly kind: 'spread'; readonly p50: number; readonly p99: number };

export interface LatencyModel {
  readonly request: DelayModel;
  readonly response: DelayModel;
}

/** The 99th percentile of the standard normal. */
const NORMAL_P99 = 2.3263478740408408;

/**
 * The time from seeing something to a request's arrival. In the simulator's frame of time the bot sees a message when it
 * is published, and is charged afterwards for the delay at which it would really have seen it: response plus request.
 */
export function drawArrivalMs(latency: LatencyModel, random: Random): number {
  return draw(latency.response, random) + draw(latency.request, random);
}

function draw(model: DelayModel, random: Random): number {
  if (model.kind === 'fixed') return model.ms;
  const sigma = Math.log(model.p99 / model.p50) / NORMAL_P99;
  return Math.round(model.p50 * Math.exp(sigma * random.normal()));
}
