/** The answer to a batch as JSON text: the one answer that every order placed waits for. */

import { Type } from '@sinclair/typebox';
import { BESIDE_ORDERS } from '../../../betdex/wire/answers.ts';
import type { PlainMeta } from '../../../betdex/wire/basics/meta.ts';
import { writer } from '../../../betdex/wire/codec/codec-write.ts';
import type { Written } from '../../../betdex/wire/codec/notation.ts';
import { isObject } from '../../../betdex/wire/codec/schema-node.ts';
import type { Order, OrderFailure } from '../../../betdex/wire/shapes/orders.ts';
import { assert } from '../../../core/checks/assert.ts';
import type { BesideOrders } from './order-extras.ts';

type Item = Written<typeof Order> | Written<typeof OrderFailure>;

const writeBeside = writer(Type.Object(BESIDE_ORDERS));

/** The items are written as they are, at half the cost: `orderDocument` and `orderFailure` make what a writer would. */
export function batchText(_meta: Written<typeof PlainMeta>, orders: readonly Item[], beside: BesideOrders): string {
  const besides = writeBeside(beside);
  assert(isObject(besides), 'a writer of an object gives one');
  return JSON.stringify({ _meta, orders, ...besides });
}
