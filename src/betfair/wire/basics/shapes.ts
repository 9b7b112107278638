/** What Betfair's documents are written with beside the codec's own notation. */

import { type TSchema, Type } from '@sinclair/typebox';
import { document, integer, maybe, moment, number } from '../../../codec/notation.ts';

/** A list that may be absent. Nothing is read into an absent one: of a filter it means all, and an empty one does too. */
export function rows<S extends TSchema>(items: S) {
  return maybe(Type.Array(items));
}

/** Values by name, such as a runner's metadata. */
export function byName<S extends TSchema>(values: S) {
  return Type.Record(Type.String(), values);
}

/** A starting price. Where there is none, Betfair may write a text, which is read as absent. */
export const startingPrice = Type.Number({ 'x-none': ['NaN', 'Infinity', '-Infinity'] });

/** Both ends may be absent, and then the range is open there. */
export const TimeRange = document('TimeRange', { from: maybe(moment), to: maybe(moment) });
export const PriceSize = document('PriceSize', { price: number, size: number }, { needs: ['price', 'size'] });
export const MarketVersion = document('MarketVersion', { version: maybe(integer) });
