/** The stream of an exchange as it came, for a recorder that keeps it as it is. */

import type { Instant } from '../core/number/units.ts';

/** All times are the exchange's. */
export type NativeNews =
  /** A message about markets: its lines as they came, without their ends. They are several where it came in segments. */
  | { readonly kind: 'message'; readonly lines: readonly string[] }
  /** What the exchange says of a market beside its stream, as JSON. It may be told again and again. */
  | { readonly kind: 'described'; readonly line: string }
  /** All that was published until then has come. */
  | { readonly kind: 'proven'; readonly at: Instant }
  /** In between, single messages did not come, for a reason in words. What follows tells what they led to. */
  | { readonly kind: 'gap'; readonly from: Instant; readonly to: Instant; readonly why: string };
