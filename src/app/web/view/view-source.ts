/** What a view serves, as its server asks for it. */

import type { ViewMarket, ViewPart, ViewWelcome } from '../../../pages/view-data.ts';
import type { Refusal } from '../http/answer.ts';

export interface ViewSource {
  /** Each throws an error with a code where a file of the run cannot be read. */
  welcome(): ViewWelcome;
  market(id: string): Promise<Found<ViewMarket>>;
  part(id: string, part: number): Promise<Found<ViewPart>>;
}

export type Found<T> =
  | { readonly kind: 'found'; readonly value: T }
  /** There is no such thing (404), or it cannot be opened (409). */
  | { readonly kind: 'not'; readonly status: 404 | 409; readonly body: Refusal };
