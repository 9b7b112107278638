/** What an alert says of orders that a run leaves behind although it was to cancel them. */

import { plural } from '../../../words/numbers.ts';

/** `isUnproven`: the exchange did not say in time what is live there. */
export function leftText(live: number, isUnproven: boolean): string {
  if (live === 0 && isUnproven) return 'the exchange did not say in time whether orders are live there';
  const known = `${plural(live, 'order')} may still be live at the exchange`;
  return isUnproven ? `${known}, which did not say in time what is live there` : known;
}
