/** One market: its outcomes and what each brings, the ladder of one of them with own orders in it, our orders. */

import type { MarketPaid } from '../../pages/money-panel.ts';
import type { Ladder, LadderRow, Level, MarketDetail, MarketPanel, OutcomeRow, Welcome } from '../../pages/panels.ts';
import { marketLabel } from '../../words/market-label.ts';
import { amount, count, ladderStake, signed, tone as signOf, utc } from '../../words/numbers.ts';
import { offerWord, sideWord } from '../../words/side-words.ts';
import { countColumn, Grid, type GridColumn, signedColumn } from '../parts/grid.tsx';
import { OrderTable } from './shown/order-table.tsx';
import { PriceChart } from './shown/price-chart.tsx';
import { addressOf, type Route } from './shown/route.ts';
import { Age, Card, Pages } from './shown/shown.tsx';

interface MarketParts {
  readonly panel: MarketPanel;
  readonly route: Route;
  readonly welcome: Welcome;
}

export function MarketPage({ panel: { market, paid, id }, route, welcome }: MarketParts) {
  if (market === undefined)
    return (
      <>
        <Card title={paid === undefined ? `Market ${id}` : paid.name}>
          <p class="empty">It is not followed, or not any more.</p>
        </Card>
        {paid !== undefined && <Paid paid={paid} currency={welcome.currency} />}
      </>
    );
  return (
    <>
      <Facts market={market} welcome={welcome} />
      <div class="pair">
        <div>
          {paid !== undefined && <Paid paid={paid} currency={welcome.currency} />}
          <Outcomes market={market} route={route} />
          {market.prices !== undefined && market.prices.lines.length > 0 && <PriceChart curve={market.prices} />}
          {(paid === undefined || market.positions.length > 0) && (
            <Positions market={market} currency={welcome.currency} />
          )}
        </div>
        {market.ladder !== undefined && (
          <Card title={market.ladder.title} at={market.freshAt} more="ladder">
            <LadderTable ladder={market.ladder} />
          </Card>
        )}
      </div>
      <Card title="Own orders here" more={<Pages part={market.orders} route={route} noun="order" />}>
        <OrderTable rows={market.orders.rows} isPlaced={false} />
      </Card>
    </>
  );
}

function Facts({ market, welcome }: { readonly market: MarketDetail; readonly welcome: Welcome }) {
  const { event, name, id, state, tone, off, startAt, lockAt, freshAt, inPlayDelayMs } = market;
  return (
    <Card title={marketLabel({ eventName: event, name })} at={freshAt}>
      <p class="facts">
        <span class={`word-${tone}`}>{state}</span>
        {startAt !== undefined && <span>begins {utc(startAt).slice(0, 16)}</span>}
        {lockAt !== undefined && <span>locks {utc(lockAt).slice(0, 16)}</span>}
        {inPlayDelayMs > 0 && <span>delay in play {inPlayDelayMs / 1_000} s</span>}
        {freshAt !== undefined && (
          <span>
            prices <Age at={freshAt} /> old
          </span>
        )}
        <span>id {id}</span>
        {welcome.kind === 'sandbox' && <a href={addressOf({ page: 'commands', id })}>commands for it</a>}
      </p>
      {off !== undefined && <p class="note">No new orders are placed on it: {off}</p>}
    </Card>
  );
}

/** What an exchange does not tell of any outcome has no column. */
function Outcomes({ market, route }: { readonly market: MarketDetail; readonly route: Route }) {
  const isShown = ({ id }: OutcomeRow): boolean => id === market.ladder?.outcome;
  const columns: readonly (GridColumn<OutcomeRow> | false)[] = [
    {
      label: 'outcome',
      cell: (outcome) => (
        <>
          <a href={addressOf({ ...route, outcome: outcome.id })} aria-current={isShown(outcome) ? 'true' : undefined}>
            {outcome.title}
          </a>
          {outcome.status !== 'Active' && <small>{outcome.status}</small>}
        </>
      ),
    },
    { label: sideWord('For'), look: 'back', cell: ({ back }) => <Best level={back} /> },
    { label: sideWord('Against'), look: 'lay', cell: ({ lay }) => <Best level={lay} /> },
    market.outcomes.some(({ last }) => last !== undefined) && {
      label: 'last',
      look: 'less',
      about: 'Last traded price',
      cell: ({ last }) => last?.toFixed(2),
    },
    market.outcomes.some(({ traded }) => traded > 0) &&
      countColumn('traded', ({ traded }) => Math.round(traded) || undefined, { look: 'less' }),
    countColumn('own orders', ({ liveOrders }) => liveOrders || undefined, {
      about: 'Live orders on it',
      look: 'less',
    }),
    signedColumn('if it wins', ({ profit }) => profit),
  ];
  return (
    <Card title="Outcomes" at={market.freshAt}>
      <Grid
        id="outcomes"
        columns={columns}
        rows={market.outcomes}
        keyOf={({ id }) => id}
        rowLook={(outcome) => (isShown(outcome) ? 'chosen' : '')}
      />
    </Card>
  );
}

function Best({ level }: { readonly level: Level | undefined }) {
  if (level === undefined) return null;
  return (
    <>
      {level.price.toFixed(2)}
      <small>{level.stake < 1 ? ladderStake(level.stake) : count(Math.round(level.stake))}</small>
    </>
  );
}

/** One result, or what is the same for all: a figure for each owner. */
interface ResultRow {
  readonly label: string;
  readonly values: readonly (number | undefined)[];
  readonly isProfit: boolean;
}

function Positions({ market, currency }: { readonly market: MarketDetail; readonly currency: string }) {
  const { positions, outcomes, winners } = market;
  const isExact = winners.min === 1 && winners.max === 1;
  const rows: readonly ResultRow[] = [
    ...outcomes.map(({ title }, index) => ({
      label: title,
      values: positions.map(({ profits }) => profits[index] ?? 0),
      isProfit: true,
    })),
    {
      label: 'worst case, unmatched orders included',
      values: positions.map(({ worstLoss }) => -worstLoss),
      isProfit: false,
    },
    ...(positions.some(({ held }) => held !== undefined)
      ? [{ label: 'held by the exchange', values: positions.map(({ held }) => held), isProfit: false }]
      : []),
  ];
  const columns: readonly GridColumn<ResultRow>[] = [
    { label: isExact ? 'if it wins' : 'if it alone wins', cell: ({ label }) => label },
    ...positions.map(({ owner }, place) => ({
      label: owner,
      cell: ({ values, isProfit }: ResultRow) => {
        const value = values[place];
        return value !== undefined && (isProfit ? signed(value) : amount(value));
      },
      tone: ({ values, isProfit }: ResultRow) => (isProfit ? signOf(values[place] ?? 0) : ''),
    })),
  ];
  return (
    <Card title="Position: what each result brings" more={currency}>
      {positions.length === 0 && <p class="soft">Nothing is matched here, and nothing waits.</p>}
      {positions.length > 0 && <Grid id="positions" columns={columns} rows={rows} keyOf={({ label }) => label} />}
    </Card>
  );
}

interface PaidParts {
  readonly paid: MarketPaid;
  readonly currency: string;
}

const PAID_COLUMNS: readonly GridColumn<MarketPaid['strategies'][number]>[] = [
  { label: 'strategy', cell: ({ name }) => name },
  signedColumn('profit', ({ profit }) => profit),
];

/** What its result brought. */
function Paid({ paid: { net, commission, strategies, at }, currency }: PaidParts) {
  const rows = commission === 0 ? strategies : [...strategies, { name: 'commission', profit: -commission }];
  return (
    <Card title="What its result brought" more={currency} id="paid">
      <p class="brought">
        <b class={signOf(net)}>{signed(net)}</b> <span class="soft">settled at {utc(at)}</span>
      </p>
      {strategies.length > 0 && <Grid columns={PAID_COLUMNS} rows={rows} keyOf={({ name }) => name} />}
    </Card>
  );
}

/** The ladder of an outcome: what can be backed and laid at each price, with own stake in it. */
function LadderTable({ ladder }: { readonly ladder: Ladder }) {
  const most = Math.max(1, ...ladder.rows.map(({ back, lay }) => Math.max(back, lay)));
  const hasTraded = ladder.rows.some(({ traded }) => traded > 0);
  return (
    <div class="ladder">
      <table>
        <thead>
          <tr>
            <th scope="col">own</th>
            <th scope="col">{offerWord('For')}</th>
            <th scope="col">price</th>
            <th scope="col">{offerWord('Against')}</th>
            <th scope="col">own</th>
            {hasTraded && <th scope="col">traded</th>}
          </tr>
        </thead>
        <tbody>
          {ladder.rows.map((row) => (
            <LadderLine key={row.price} row={row} most={most} hasTraded={hasTraded} />
          ))}
        </tbody>
      </table>
      {ladder.rows.length === 0 && <p class="empty">Nothing rests here.</p>}
    </div>
  );
}

interface LadderLineParts {
  readonly row: LadderRow;
  readonly most: number;
  readonly hasTraded: boolean;
}

function LadderLine({ row, most, hasTraded }: LadderLineParts) {
  const { price, back, lay, ownBack, ownLay, traded } = row;
  return (
    <tr>
      <td class="own">{ownBack === 0 ? '' : amount(ownBack)}</td>
      <Stake stake={back} most={most} column="back" />
      <th scope="row">{price.toFixed(2)}</th>
      <Stake stake={lay} most={most} column="lay" />
      <td class="own">{ownLay === 0 ? '' : amount(ownLay)}</td>
      {hasTraded && <td class="traded">{traded === 0 ? '' : amount(traded)}</td>}
    </tr>
  );
}

/** The bar beneath is as long as the stake is of the largest one shown. */
function Stake({ stake, most, column }: Readonly<{ stake: number; most: number; column: 'back' | 'lay' }>) {
  return (
    <td class={column}>
      {stake > 0 && <i style={{ width: `${Math.max(2, (stake / most) * 100)}%` }} />}
      <span>{stake === 0 ? '' : stake < 0.005 ? ladderStake(stake) : amount(stake)}</span>
    </td>
  );
}
