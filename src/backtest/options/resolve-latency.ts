/** Makes the delays of the simulator from a `latency` block. */

import type { Static } from '@sinclair/typebox';
import { OddsmithError } from '../../core/checks/oddsmith-error.ts';
import type { DelayModel, LatencyModel } from '../../simulator/gateway/latency.ts';
import type { LatencyBlock } from './blocks.ts';
import type { ConfigErrorCode } from './loaded-config.ts';

/** `where` gives the place of a key inside the block. @throws OddsmithError CONFIG_INVALID */
export function latencyOf(
  latency: Static<typeof LatencyBlock>,
  where: (path: readonly string[]) => string,
): LatencyModel {
  if ('p50' in latency) return { request: delayOf(latency, where([])), response: { kind: 'fixed', ms: 40 } };
  const { placeMs, cancelMs } = latency;
  return {
    request: delayOf(latency.requestMs ?? 80, where(['requestMs'])),
    ...(placeMs === undefined ? {} : { place: delayOf(placeMs, where(['placeMs'])) }),
    ...(cancelMs === undefined ? {} : { cancel: delayOf(cancelMs, where(['cancelMs'])) }),
    response: delayOf(latency.responseMs ?? 40, where(['responseMs'])),
  };
}

function delayOf(delay: number | { readonly p50: number; readonly p99: number }, where: string): DelayModel {
  if (typeof delay === 'number') return { kind: 'fixed', ms: delay };
  if (delay.p50 <= 0 || delay.p99 < delay.p50) {
    throw new OddsmithError<ConfigErrorCode>({
      code: 'CONFIG_INVALID',
      what: 'A delay needs p50 above 0 and p99 of at least p50.',
      where,
      why: `They are ${delay.p50} and ${delay.p99}.`,
      next: 'Swap or mend the two, or give one number for a fixed delay.',
    });
  }
  return { kind: 'spread', p50: delay.p50, p99: delay.p99 };
}
