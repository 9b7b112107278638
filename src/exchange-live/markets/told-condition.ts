/** What a stream may change about a market by itself: it says neither when a status was made nor whether an update was lost. */

import type { InPlayStatus, MarketStatus } from '../../core/market.ts';
import type { MarketCondition } from './market-definition.ts';

/** What is believed at once, and whether the rest must be read, since it may be old. */
export interface Believed {
  readonly changes: Partial<MarketCondition>;
  readonly needsReading: boolean;
}

/** How far a market is in its life. Statuses of one number exclude each other. */
const LIFE: Readonly<Record<MarketStatus, number>> = {
  ...{ Initializing: 0, Open: 1, Locking: 2, Locked: 3, Settling: 4, Voiding: 4, Settled: 5, Voided: 5, Closed: 6 },
};
const PLAY: Readonly<Record<InPlayStatus, number>> = { NotApplicable: 0, PrePlay: 1, InPlay: 2 };

/**
 * A step on in a market's life, and one that allows less, is believed at once: if the message was old, that costs until the next
 * reading. A step back (suspended to open, in play to before it) is believed of a reading alone. All else that a message says is
 * believed unless it was changed later by what is known.
 */
export function believed(known: MarketCondition, told: Partial<MarketCondition>): Believed {
  const { status, inPlayStatus, suspended, published, modifiedAt, ...facts } = told;
  const isOld = modifiedAt !== undefined && known.modifiedAt !== undefined && modifiedAt < known.modifiedAt;
  const steps = {
    ...(status !== undefined && LIFE[status] > LIFE[known.status] && { status }),
    ...(inPlayStatus !== undefined && PLAY[inPlayStatus] > PLAY[known.inPlayStatus] && { inPlayStatus }),
    ...(suspended === true && { suspended }),
    ...(published === false && { published }),
  };
  const next = { ...known, ...steps };
  const isAllBelieved =
    (status ?? next.status) === next.status &&
    (inPlayStatus ?? next.inPlayStatus) === next.inPlayStatus &&
    (suspended ?? next.suspended) === next.suspended &&
    (published ?? next.published) === next.published;
  return { changes: { ...steps, ...(isOld ? {} : facts) }, needsReading: !isAllBelieved && !isOld };
}
