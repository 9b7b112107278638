/** What the codes in a segment's heads stand for, as tables by code, for readers that fill columns. */

import { LEVEL_UNIT, TRADE_PREDICTOR, TRADE_UNIT } from './segment-codes.ts';
import { DEFINITION, LAST_PRICE, LEVEL, STARTING_PRICE, TRADE } from './update.ts';

/** The kind and the side of the event, by head code. */
export const KIND_OF_CODE = Uint8Array.of(
  DEFINITION,
  TRADE,
  LEVEL,
  LEVEL,
  LAST_PRICE,
  STARTING_PRICE,
  STARTING_PRICE,
  STARTING_PRICE,
);
export const SIDE_OF_CODE = Uint8Array.of(0, 0, 0, 1, 0, 0, 1, 2);
/** Whether the event has a tick, and the unit of its amount (0: no amount, 1: as it is), by head code. */
export const TICKED = Uint8Array.of(0, 1, 1, 1, 1, 0, 0, 0);
/** The one of an outcome's predictors that its tick follows, by head code. */
export const SLOT_OF_CODE = Uint8Array.of(0, TRADE_PREDICTOR, 0, 1, TRADE_PREDICTOR, 0, 0, 0);
export const UNIT_OF_CODE = Float64Array.of(1, TRADE_UNIT, LEVEL_UNIT, LEVEL_UNIT, 0, 1, 1, 1);
