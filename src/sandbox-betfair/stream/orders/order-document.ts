/** A bet as the stream sends it, and what was matched of bets by price. */

import type { StreamOrder } from '../../../betfair/wire/stream/order-change.ts';
import { bookOrder } from '../../documents/order-documents.ts';
import { referencesIn } from '../../state/bet-references.ts';
import type { Bet } from '../../state/bets.ts';

const REGULATOR = 'REG_LGA';

export function streamOrder(bet: Bet): StreamOrder {
  const { matchedAt, lapsedAt, lapseReason, cancelledAt, order } = bet;
  const listed = bookOrder(bet);
  const references = referencesIn(order.reference);
  return {
    id: listed.betId,
    p: listed.price,
    s: listed.size,
    side: listed.side === 'BACK' ? 'B' : 'L',
    status: listed.status === 'EXECUTABLE' ? 'E' : 'EC',
    pt: listed.persistenceType === 'PERSIST' ? 'P' : 'L',
    ot: 'L',
    pd: order.createdAt,
    ...(matchedAt === undefined ? {} : { md: matchedAt }),
    ...(lapsedAt === undefined ? {} : { ld: lapsedAt }),
    ...(cancelledAt === undefined ? {} : { cd: cancelledAt }),
    ...(lapseReason === undefined ? {} : { lsrc: lapseReason }),
    ...(matchedAt === undefined ? {} : { avp: listed.avgPriceMatched ?? 0 }),
    sm: listed.sizeMatched ?? 0,
    sr: listed.sizeRemaining ?? 0,
    sl: listed.sizeLapsed ?? 0,
    sc: listed.sizeCancelled ?? 0,
    sv: listed.sizeVoided ?? 0,
    rac: '',
    rc: REGULATOR,
    rfo: references.order ?? '',
    rfs: references.strategy ?? '',
  };
}
