/** The message of order changes (ocm): orders whole, and what is matched by price. */

import { Type } from '@sinclair/typebox';
import { document, flag, id, integer, maybe, number, text, type Written, words } from '../../../codec/notation.ts';
import { byName, rows } from '../basics/shapes.ts';
import { CHANGE_ENVELOPE } from './messages.ts';

/** [price, size]; a size of 0 removes it. */
const levels = rows(Type.Array(number));

/** Why what was left of an order lapsed (profile section 5). */
const LapseReasonWord = words('LapseStatusReasonCode', [
  'MKT_UNKNOWN',
  'MKT_INVALID',
  'RNR_UNKNOWN',
  'TIME_ELAPSED',
  'CURRENCY_UNKNOWN',
  'PRICE_INVALID',
  'MKT_SUSPENDED',
  'MKT_VERSION',
  'LINE_TARGET',
  'LINE_SP',
  'SP_IN_PLAY',
  'SMALL_STAKE',
  'PRICE_IMP_TOO_LARGE',
]);

/** One order, always whole: s = sm + sr + sl + sc + sv. */
export const UnmatchedOrder = document(
  'Order',
  {
    id,
    p: number,
    s: number,
    bsp: maybe(number),
    side: words('StreamSide', ['B', 'L']),
    status: words('StreamOrderStatus', ['E', 'EC']),
    /** Persistence: lapse, persist, market on close. */
    pt: words('StreamPersistence', ['L', 'P', 'MOC']),
    /** Type: limit, limit on close, market on close. */
    ot: words('StreamOrderType', ['L', 'LOC', 'MOC']),
    /** When it was placed, matched, lapsed, cancelled: ms UTC. */
    pd: integer,
    md: maybe(integer),
    ld: maybe(integer),
    cd: maybe(integer),
    lsrc: maybe(LapseReasonWord),
    avp: maybe(number),
    sm: number,
    sr: number,
    sl: number,
    sc: number,
    sv: number,
    rac: text,
    rc: text,
    rfo: text,
    rfs: text,
  },
  {
    needs: ['id', 'p', 's', 'side', 'status', 'pt', 'ot', 'pd', 'sm', 'sr', 'sl', 'sc', 'sv'],
    uses: ['bsp', 'md', 'ld', 'cd', 'lsrc', 'avp', 'rfo', 'rfs'],
  },
);

const StrategyMatchChange = document(
  'StrategyMatchChange',
  { mb: levels, ml: levels },
  { needs: [], uses: ['mb', 'ml'] },
);

export const OrderRunnerChange = document(
  'OrderRunnerChange',
  {
    id: integer,
    hc: maybe(number),
    fullImage: maybe(flag),
    uo: rows(UnmatchedOrder),
    mb: levels,
    ml: levels,
    smc: maybe(byName(StrategyMatchChange)),
  },
  { needs: ['id'], uses: ['hc', 'fullImage', 'uo', 'mb', 'ml', 'smc'] },
);

export const OrderMarketChange = document(
  'OrderMarketChange',
  {
    id,
    accountId: maybe(integer),
    fullImage: maybe(flag),
    closed: maybe(flag),
    orc: rows(OrderRunnerChange),
  },
  { needs: ['id'], uses: ['fullImage', 'closed', 'orc'] },
);

export const OrderChangeMessage = document('OrderChangeMessage', {
  op: Type.Literal('ocm'),
  ...CHANGE_ENVELOPE,
  oc: rows(OrderMarketChange),
});

export type StreamOrder = Written<typeof UnmatchedOrder>;
export type StreamOrderRunner = Written<typeof OrderRunnerChange>;
