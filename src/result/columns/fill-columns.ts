/** The columns of a run's fills, in fills.csv, the JSON and the report: each is drawn from its row here. CONTRIBUTING.md says where its value comes from. */

import type { FillRow } from '../result.ts';
import { columnList } from './column.ts';
import { RUN_COLUMNS } from './run-columns.ts';

export const FILL_COLUMNS = columnList<FillRow>()([
  ...RUN_COLUMNS,
  { name: 'order', kind: 'count', label: 'Order', about: 'Number of the order in its run', of: (fill) => fill.order },
  { name: 'marketId', kind: 'text', about: 'Id of the market', inReport: 'never', of: (fill) => fill.marketId },
  {
    name: 'outcomeId',
    kind: 'text',
    label: 'Outcome',
    about: 'Title of the outcome',
    of: (fill) => fill.outcomeId,
  },
  { name: 'side', kind: 'text', label: 'Side', about: 'For (back) or Against (lay)', of: (fill) => fill.side },
  {
    name: 'price',
    kind: 'price',
    label: 'Price',
    about: 'Price of the match, decimal odds',
    of: (fill) => fill.price,
  },
  { name: 'stake', kind: 'money', label: 'Stake', about: "Backer's stake matched", of: (fill) => fill.stake },
  { name: 'at', kind: 'time', label: 'Matched, UTC', about: 'Simulated time of the match', of: (fill) => fill.at },
  {
    name: 'lastPriceAfter10s',
    kind: 'price',
    label: 'Last price, 10 s later',
    about: 'Last traded price of the outcome 10 s after the match',
    of: (fill) => fill.lastPriceAfter10s,
  },
  {
    name: 'lastPriceAfter60s',
    kind: 'price',
    label: 'Last price, 60 s later',
    about: 'Last traded price of the outcome 60 s after the match',
    of: (fill) => fill.lastPriceAfter60s,
  },
]);
