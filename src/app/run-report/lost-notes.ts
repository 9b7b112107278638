/** What of a run cannot be read any more, in words for its report and its view. */

import type { LostSpan } from '../../journal/read-journal.ts';
import { utcMs } from '../../words/numbers.ts';

const LOST: Readonly<Record<LostSpan['of'], string>> = {
  records: 'Orders, fills and money',
  explanations: 'Decisions and refusals',
};

export function lostNotes(lost: readonly LostSpan[]): readonly string[] {
  return lost.map(({ of, from, to, why }) => `${LOST[of]} of the run are not all here, ${spanText(from, to)}: ${why}.`);
}

function spanText(from: number, to: number): string {
  const begin = Number.isFinite(from) ? `from ${utcMs(from)}` : 'from its beginning';
  return `${begin} ${Number.isFinite(to) ? `to ${utcMs(to)} UTC` : 'to its end'}`;
}
