/** The columns of a run's orders, in orders.csv, the JSON and the report: a column is added here, and nowhere else. */

import { BOUNDS } from '../figures/bounds.ts';
import type { OrderRow } from '../result.ts';
import { columnList } from './column.ts';
import { RUN_COLUMNS } from './run-columns.ts';

export const ORDER_COLUMNS = columnList<OrderRow>()([
  ...RUN_COLUMNS,
  { name: 'order', kind: 'count', label: 'Order', about: 'Number of the order in its run', of: (order) => order.id },
  {
    name: 'strategy',
    kind: 'text',
    label: 'Strategy',
    about: 'The strategy that sent it',
    inReport: 'if-rows-differ',
    of: (order) => order.strategy,
  },
  { name: 'marketId', kind: 'text', about: 'Id of the market', inReport: 'never', of: (order) => order.marketId },
  { name: 'marketName', kind: 'text', about: 'Name of the market', inReport: 'never', of: (order) => order.marketName },
  { name: 'outcomeId', kind: 'text', about: 'Id of the outcome', inReport: 'never', of: (order) => order.outcomeId },
  {
    name: 'outcomeTitle',
    kind: 'text',
    label: 'Outcome',
    about: 'Title of the outcome',
    of: (order) => order.outcomeTitle,
  },
  { name: 'side', kind: 'text', label: 'Side', about: 'For (back) or Against (lay)', of: (order) => order.side },
  {
    name: 'price',
    kind: 'price',
    label: 'Price',
    about: 'Limit price, decimal odds: what was asked',
    of: (order) => order.price,
  },
  { name: 'stake', kind: 'money', label: 'Stake', about: "Backer's stake", of: (order) => order.stake },
  {
    name: 'decidedAt',
    kind: 'time',
    label: 'Decided, UTC',
    about: 'When the strategy decided',
    of: (order) => order.decidedAt,
  },
  {
    name: 'arrivedAt',
    kind: 'time',
    label: 'Arrived, UTC',
    about: 'When it arrived at the exchange',
    of: (order) => order.arrivedAt,
  },
  {
    name: 'status',
    kind: 'text',
    label: 'Status',
    about: 'Its last status in its flow; none where the exchange rejected it or never answered',
    of: (order) => order.status,
  },
  {
    name: 'reason',
    kind: 'text',
    label: 'Reason',
    about: 'Why it was rejected or cancelled',
    of: (order) => order.reason,
  },
  ...BOUNDS.map(
    (bound) =>
      ({
        name: `stakeMatched.${bound}`,
        kind: 'money',
        label: `Matched, ${bound}`,
        about: `Stake matched in the ${bound} bound`,
        of: (order: OrderRow) => order.stakeMatched[bound],
      }) as const,
  ),
  {
    name: 'averagePrice',
    kind: 'price',
    label: 'Average price',
    about: 'What was got: mean price of its fills in its flow, weighted by stake',
    of: (order) => order.averagePrice,
  },
  {
    name: 'profit',
    kind: 'profit',
    label: 'Gross profit',
    about: 'Gross profit at settlement, by the fills of its flow',
    of: (order) => order.profit,
  },
  {
    name: 'endedAt',
    kind: 'time',
    label: 'Ended, UTC',
    about: 'When nothing of it could be matched any more: matched whole, cancelled or voided',
    of: (order) => order.endedAt,
  },
  {
    name: 'queueAhead',
    kind: 'money',
    label: 'Queue ahead',
    about: 'Stake before it at its price when it began to rest, in its flow; none where it never rested',
    of: (order) => order.queueAhead,
  },
  {
    name: 'bestFor',
    kind: 'price',
    label: 'Best For',
    about: 'Lowest price of resting For stake of its outcome when the strategy decided',
    of: (order) => order.bestFor,
  },
  {
    name: 'bestAgainst',
    kind: 'price',
    label: 'Best Against',
    about: 'Highest price of resting Against stake of its outcome when the strategy decided',
    of: (order) => order.bestAgainst,
  },
  { name: 'note', kind: 'text', label: 'Note', about: 'What the strategy wrote on it', of: (order) => order.note },
]);
