/** One market: its outcomes and what each brings, the ladder of one of them with own orders in it, our orders. */

import type { MarketPaid } from '../../pages/money-panel.ts';
import type {
  Ladder,
  LadderRow,
  MarketDetail,
  MarketPanel,
  OutcomeRow,
  PositionRow,
  Welcome,
} from '../../pages/panels.ts';
import { marketLabel } from '../../words/market-label.ts';
import { amount, count, signed, tone as signOf, utc } from '../../words/numbers.ts';
import { offerWord, sideWord } from '../../words/side-words.ts';
import { Signed } from './now/money-card.tsx';
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

/** Columns that an exchange may not fill. */
interface Known {
  readonly last: boolean;
  readonly traded: boolean;
}

function Outcomes({ market, route }: { readonly market: MarketDetail; readonly route: Route }) {
  const known: Known = {
    last: market.outcomes.some(({ last }) => last !== undefined),
    traded: market.outcomes.some(({ traded }) => traded > 0),
  };
  return (
    <Card title="Outcomes" at={market.freshAt}>
      <div class="wide">
        <table id="outcomes">
          <thead>
            <tr>
              <th scope="col">outcome</th>
              <th scope="col">{sideWord('For')}</th>
              <th scope="col">{sideWord('Against')}</th>
              {known.last && (
                <th scope="col" class="less">
                  last
                </th>
              )}
              {known.traded && (
                <th scope="col" class="less">
                  traded
                </th>
              )}
              <th scope="col" title="Live orders on it">
                own orders
              </th>
              <th scope="col">if it wins</th>
            </tr>
          </thead>
          <tbody>
            {market.outcomes.map((outcome) => (
              <Outcome
                key={outcome.id}
                outcome={outcome}
                route={route}
                isShown={outcome.id === market.ladder?.outcome}
                known={known}
              />
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

interface OutcomeParts {
  readonly outcome: OutcomeRow;
  readonly route: Route;
  readonly isShown: boolean;
  readonly known: Known;
}

function Outcome({ outcome, route, isShown, known }: OutcomeParts) {
  const { id, title, status, back, lay, last, traded, profit, liveOrders } = outcome;
  return (
    <tr class={isShown ? 'chosen' : ''}>
      <td>
        <a href={addressOf({ ...route, outcome: id })} aria-current={isShown ? 'true' : undefined}>
          {title}
        </a>
        {status !== 'Active' && <small>{status}</small>}
      </td>
      <td class="back">
        {back?.price.toFixed(2)}
        <small>{back && count(Math.round(back.stake))}</small>
      </td>
      <td class="lay">
        {lay?.price.toFixed(2)}
        <small>{lay && count(Math.round(lay.stake))}</small>
      </td>
      {known.last && <td class="less">{last?.toFixed(2)}</td>}
      {known.traded && <td class="less">{traded === 0 ? '' : count(Math.round(traded))}</td>}
      <td>{liveOrders === 0 ? '' : count(liveOrders)}</td>
      <td class={profit === undefined ? '' : signOf(profit)}>{profit === undefined ? '' : signed(profit)}</td>
    </tr>
  );
}

function Positions({ market, currency }: { readonly market: MarketDetail; readonly currency: string }) {
  const { positions, outcomes, winners } = market;
  const isExact = winners.min === 1 && winners.max === 1;
  return (
    <Card title="Position: what each result brings" more={currency}>
      {positions.length === 0 && <p class="soft">Nothing is matched here, and nothing waits.</p>}
      {positions.length > 0 && (
        <div class="wide">
          <table id="positions">
            <thead>
              <tr>
                <th scope="col">{isExact ? 'if it wins' : 'if it alone wins'}</th>
                {positions.map(({ owner }) => (
                  <th key={owner} scope="col">
                    {owner}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {outcomes.map(({ id, title }, index) => (
                <ResultRow key={id} title={title} index={index} positions={positions} />
              ))}
              <tr>
                <td>worst case, unmatched orders included</td>
                {positions.map(({ owner, worstLoss }) => (
                  <td key={owner}>{amount(-worstLoss)}</td>
                ))}
              </tr>
              {positions.some(({ held }) => held !== undefined) && (
                <tr>
                  <td>held by the exchange</td>
                  {positions.map(({ owner, held }) => (
                    <td key={owner}>{held === undefined ? '' : amount(held)}</td>
                  ))}
                </tr>
              )}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}

/** What its result brought. */
function Paid({ paid: { net, commission, strategies, at }, currency }: PaidParts) {
  return (
    <Card title="What its result brought" more={currency} id="paid">
      <p class="brought">
        <b class={signOf(net)}>{signed(net)}</b> <span class="soft">settled at {utc(at)}</span>
      </p>
      {strategies.length > 0 && (
        <div class="wide">
          <table>
            <thead>
              <tr>
                <th scope="col">strategy</th>
                <th scope="col">profit</th>
              </tr>
            </thead>
            <tbody>
              {strategies.map(({ name, profit }) => (
                <tr key={name}>
                  <td>{name}</td>
                  <Signed value={profit} />
                </tr>
              ))}
              {commission !== 0 && (
                <tr class="soft">
                  <td>commission</td>
                  <td>{signed(-commission)}</td>
                </tr>
              )}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}

interface PaidParts {
  readonly paid: MarketPaid;
  readonly currency: string;
}

interface ResultParts {
  readonly title: string;
  readonly index: number;
  readonly positions: readonly PositionRow[];
}

function ResultRow({ title, index, positions }: ResultParts) {
  return (
    <tr>
      <td>{title}</td>
      {positions.map(({ owner, profits }) => (
        <td key={owner} class={signOf(profits[index] ?? 0)}>
          {signed(profits[index] ?? 0)}
        </td>
      ))}
    </tr>
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
      <span>{stake === 0 ? '' : amount(stake)}</span>
    </td>
  );
}
