/** The columns of refused intents, in refusals.csv and below a market of the report. */

import { sideWord } from '../../words/side-words.ts';
import type { RefusalRow } from '../figures/refusal-rows.ts';
import { columnList } from './column.ts';

export const REFUSAL_COLUMNS = columnList<RefusalRow>()([
  { name: 'at', kind: 'time', label: 'Decided, UTC', about: 'When the strategy decided', of: (row) => row.at },
  {
    name: 'times',
    kind: 'count',
    label: 'Times',
    about: 'How many intents asked for the same',
    of: (row) => row.times,
  },
  {
    name: 'lastAt',
    kind: 'time',
    label: 'Last, UTC',
    about: 'When the last one of them was decided',
    of: (row) => row.lastAt,
  },
  {
    name: 'strategy',
    kind: 'text',
    label: 'Strategy',
    about: 'The strategy that asked for it',
    inReport: 'if-rows-differ',
    of: (row) => row.strategy,
  },
  { name: 'market', kind: 'text', about: 'Id of the market', inReport: 'never', of: (row) => row.marketId },
  { name: 'code', kind: 'text', label: 'Code', about: 'Why it was refused', of: (row) => row.code },
  { name: 'asked', kind: 'text', label: 'Asked for', about: 'What the intent was', of: askedText },
  { name: 'outcome', kind: 'text', about: 'Id of the outcome', inReport: 'never', of: (row) => row.outcomeId },
  {
    name: 'outcomeTitle',
    kind: 'text',
    label: 'Outcome',
    about: 'Title of the outcome, or the id that was asked for',
    of: (row) => row.outcomeTitle ?? row.outcomeId,
  },
  { name: 'side', kind: 'text', about: 'For or Against', inReport: 'never', of: (row) => row.side },
  { name: 'price', kind: 'price', label: 'Price', about: 'Decimal odds that were asked for', of: (row) => row.price },
  { name: 'stake', kind: 'money', label: 'Stake', about: "Backer's stake", of: (row) => row.stake },
  {
    name: 'limit',
    kind: 'number',
    label: 'Limit',
    about: 'The limit, in the unit of its code',
    of: (row) => row.limit,
  },
  {
    name: 'value',
    kind: 'number',
    label: 'Before',
    about: 'The limited figure before the intent',
    of: (row) => row.value,
  },
  {
    name: 'wouldBe',
    kind: 'number',
    label: 'Would be',
    about: 'The limited figure had the intent been sent',
    of: (row) => row.wouldBe,
  },
  { name: 'note', kind: 'text', label: 'Note', about: 'What the strategy wrote on it', of: (row) => row.note },
]);

/** `back`, `lay`, `cancel order 7`; undefined where it is not known. */
export function askedText({ kind, side, order }: RefusalRow): string | undefined {
  switch (kind) {
    case undefined:
      return undefined;
    case 'place':
      return side === undefined ? 'place' : sideWord(side);
    case 'cancelAll':
      return 'cancel all';
    case 'cancel':
    case 'reduce':
    case 'replace':
      return order === undefined ? kind : `${kind} order ${order}`;
  }
}
