/** Schemas shared by several control endpoints. */

import { Type } from '@sinclair/typebox';
import { InPlayStatusWord, LiquidityActionWord, MarketStatusWord } from '../../betdex/wire/basics/enums.ts';
import { instantFromWire } from '../../codec/instants.ts';
import { document, id, maybe, moment, number, text, words } from '../../codec/notation.ts';
import { assert } from '../../core/checks/assert.ts';
import type { Instant } from '../../core/number/units.ts';

export const Done = document('Done', {});
export const Created = document('Created', { id });
export const range = Type.Object({ min: Type.Integer({ minimum: 0 }), max: Type.Integer({ minimum: 1 }) });
export const liquidityAction = LiquidityActionWord;

export const ControlMarket = document('ControlMarket', {
  id,
  eventId: id,
  escrowWalletId: id,
  status: MarketStatusWord,
  inPlayStatus: InPlayStatusWord,
  published: Type.Boolean(),
  suspended: Type.Boolean(),
  inPlayDelay: number,
  delaysTakersOnly: Type.Boolean(),
  lockAt: maybe(moment),
  settledAt: maybe(moment),
  outcomes: Type.Array(
    document('ControlOutcome', { id, title: text, removed: Type.Boolean(), winner: Type.Boolean() }),
  ),
});

export const ControlKey = document('ControlKey', { name: text, secret: text });
export const basis = words('RemovalBasis', ['win', 'place']);

/** Reads a date-time that the schema of a body has already accepted. */
export function readTimestamp(text: string): Instant {
  const result = instantFromWire(text);
  assert(result.kind === 'read', 'the schema passed it as a date-time');
  return result.value;
}
