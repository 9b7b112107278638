/** The columns of a run's markets, in the library's table and in Parquet: a column is added here, and nowhere else. */

import { BOUNDS, type Bound } from '../figures/bounds.ts';
import type { MarketResult, Profit } from '../result.ts';
import { columnList } from './column.ts';

/** The figures that a market has under each bound. */
export const FIGURES = ['stakeMatched', 'profitGross', 'commission', 'profitNet', 'markToMarket'] as const;
type Figure = (typeof FIGURES)[number] & keyof Profit;

const ABOUT_FIGURE: Readonly<Record<Figure, string>> = {
  stakeMatched: 'Stake matched',
  profitGross: 'What settlement paid before commission',
  commission: 'Commission',
  profitNet: 'Gross profit less commission',
  markToMarket: 'Gross profit if greened up at the end',
};

export const MARKET_COLUMNS = columnList<MarketResult>()([
  { name: 'id', kind: 'text', about: 'Id of the market', of: (market) => market.id },
  { name: 'name', kind: 'text', about: 'Name of the market', of: (market) => market.name },
  { name: 'eventName', kind: 'text', about: 'Name of its event', of: (market) => market.eventName },
  { name: 'grade', kind: 'text', about: 'What its recording can bear', of: (market) => market.grade },
  { name: 'updates', kind: 'count', about: 'Updates replayed', of: (market) => market.updates },
  { name: 'orders', kind: 'count', about: 'Orders accepted', of: (market) => market.orders },
  { name: 'status', kind: 'text', about: 'How it ended on the tape', of: (market) => market.status },
  { name: 'settledAt', kind: 'time', about: 'When it was settled', of: (market) => market.settledAt },
  { name: 'cutOffAt', kind: 'time', about: 'When its recording ended before it did', of: (market) => market.cutOffAt },
  {
    name: 'ordersSuspended',
    kind: 'count',
    about: 'Orders that suspensions in play cancelled',
    of: (market) => market.ordersSuspended,
  },
  {
    name: 'stakeOutOfSight',
    kind: 'money',
    about: 'Stake that takers did not match because levels were out of sight',
    of: (market) => market.stakeOutOfSight,
  },
  ...FIGURES.flatMap((figure) => BOUNDS.map((bound) => figureColumn(figure, bound))),
  { name: 'eventId', kind: 'text', about: 'Id of its event', of: (market) => market.eventId },
  { name: 'marketTypeId', kind: 'text', about: 'Type of the market', of: (market) => market.marketTypeId },
  { name: 'startsAt', kind: 'time', about: 'Scheduled start', of: (market) => market.startsAt },
  { name: 'inPlayAt', kind: 'time', about: 'Switch to in play', of: (market) => market.inPlayAt },
  {
    name: 'preOffAt',
    kind: 'time',
    about: 'When trading last stopped before the off',
    of: (market) => market.preOffAt,
  },
  {
    name: 'winnerCount',
    kind: 'count',
    about: 'How many winners it pays; 0 where its definition leaves that open',
    of: (market) => market.winnerCount,
  },
  { name: 'venue', kind: 'text', about: 'Where it takes place', of: (market) => market.venue },
]);

function figureColumn<Name extends Figure>(figure: Name, bound: Bound) {
  return {
    name: `${figure}.${bound}` as const,
    kind: 'money',
    about: `${ABOUT_FIGURE[figure]}, in the ${bound} bound`,
    of: (market: MarketResult) => market.profit[bound]?.[figure],
  } as const;
}
