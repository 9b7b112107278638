/** What a yardstick in a process of its own is asked for, and what it reports. */

import type { FlowShape } from './flow.ts';

export type YardstickTask =
  | { readonly kind: 'parse'; readonly file: string; readonly warmUps: number }
  | { readonly kind: 'packaged'; readonly flow: FlowShape; readonly warmUps: number };

/** Once, when it is warm; then its seconds after every `run`. */
export type YardstickTold =
  | { readonly kind: 'ready'; readonly operations: number }
  | { readonly kind: 'ran'; readonly seconds: number };
