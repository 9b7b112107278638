/** The markets that are followed: state, prices of the favourite, own orders, what each brought or would bring. */

import type { MarketRow, MarketsPanel } from '../../pages/panels.ts';
import { marketLabel } from '../../words/market-label.ts';
import { amount, count } from '../../words/numbers.ts';
import { sideWord } from '../../words/side-words.ts';
import { Filter } from './shown/filter.tsx';
import { Profit } from './shown/profit.tsx';
import { addressOf, type Route } from './shown/route.ts';
import { Age, Begins, Card, Pages } from './shown/shown.tsx';

const CHOICES = [
  ['all', 'All'],
  ['own', 'With own orders'],
] as const;

export function MarketsPage({ panel: { part }, route }: { readonly panel: MarketsPanel; readonly route: Route }) {
  return (
    <Card title="Markets" more={<Pages part={part} route={route} noun="market" />}>
      <Filter route={route} choices={CHOICES} />
      <div class="wide">
        <table id="markets">
          <thead>
            <tr>
              <th scope="col">market</th>
              <th scope="col" class="less">
                state
              </th>
              <th scope="col">begins</th>
              <th scope="col" class="less">
                favourite
              </th>
              <th scope="col" class="less">
                {sideWord('For')}
              </th>
              <th scope="col" class="less">
                {sideWord('Against')}
              </th>
              <th scope="col" class="less">
                prices
              </th>
              <th scope="col">live</th>
              <th scope="col" class="less">
                can lose
              </th>
              <th
                scope="col"
                title="What its result brought, net of commission; before it what closing would bring now"
              >
                profit
              </th>
            </tr>
          </thead>
          <tbody>
            {part.rows.map((row) => (
              <MarketLine key={row.id} row={row} />
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

function MarketLine({ row }: { readonly row: MarketRow }) {
  const { id, name, event, state, tone, off, startAt, favourite, freshAt, liveOrders, worstLoss, settled, open } = row;
  return (
    <tr>
      <td>
        <a href={addressOf({ page: 'market', id })}>{marketLabel({ eventName: event, name })}</a>
        <small class={`phone word-${tone}`}>{state}</small>
        {off !== undefined && <small class="word-warn">no new orders: {off}</small>}
      </td>
      <td class={`less word-${tone}`}>{state}</td>
      <td>{startAt === undefined ? '' : <Begins at={startAt} />}</td>
      <td class="less">{favourite?.title}</td>
      <td class="less">{favourite?.back?.toFixed(2)}</td>
      <td class="less">{favourite?.lay?.toFixed(2)}</td>
      <td class="less">{freshAt === undefined ? '' : <Age at={freshAt} />}</td>
      <td>{liveOrders === 0 ? '' : count(liveOrders)}</td>
      <td class="less">{worstLoss === 0 ? '' : amount(worstLoss)}</td>
      <td>
        <Profit settled={settled} open={open} />
      </td>
    </tr>
  );
}
