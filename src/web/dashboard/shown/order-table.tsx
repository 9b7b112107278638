/** Own orders as a table. */

import type { OrderRow } from '../../../pages/panels.ts';
import { amount } from '../../../words/numbers.ts';
import { sideWord } from '../../../words/side-words.ts';
import { Profit } from './profit.tsx';
import { addressOf } from './route.ts';
import { Age } from './shown.tsx';

interface OrderTableParts {
  readonly rows: readonly OrderRow[];
  /** Whether each row says of which market it is. */
  readonly isPlaced: boolean;
}

export function OrderTable({ rows, isPlaced }: OrderTableParts) {
  return (
    <div class="wide">
      <table class="orders">
        <thead>
          <tr>
            <th scope="col">order</th>
            <th scope="col">side</th>
            <th scope="col">price</th>
            <th scope="col">stake</th>
            <th scope="col" class="less">
              matched
            </th>
            <th scope="col" title="Before commission: won or lost, or what closing it would bring now">
              profit
            </th>
            <th scope="col" class="less">
              at
            </th>
            <th scope="col" class="less">
              unmatched
            </th>
            <th scope="col" class="less">
              state
            </th>
            <th scope="col" class="less">
              age
            </th>
            <th scope="col" class="less">
              by
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <OrderLine key={row.number} row={row} isPlaced={isPlaced} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function OrderLine({ row, isPlaced }: { readonly row: OrderRow; readonly isPlaced: boolean }) {
  const { number, exchangeId, market, place, outcome, side, price, stake, matched, averagePrice, profit } = row;
  return (
    <tr>
      <td>
        {isPlaced ? <a href={addressOf({ page: 'market', id: market })}>{outcome}</a> : outcome}
        <small>
          {isPlaced ? `${place} · ` : ''}
          {number}
          {exchangeId === undefined || exchangeId === String(number) ? '' : ` (${exchangeId})`}
          {row.note === undefined ? '' : ` · ${row.note}`}
        </small>
        <small class="phone">
          <span class={`word-${row.tone}`}>{row.state}</span>,{' '}
          {matched > 0 && matched < stake && `${amount(matched)} of it, `}
          <Age at={row.placedAt} /> old
        </small>
      </td>
      <td class={side === 'For' ? 'back' : 'lay'}>{sideWord(side)}</td>
      <td>{price.toFixed(2)}</td>
      <td>{amount(stake)}</td>
      <td class="less">{matched === 0 ? '' : amount(matched)}</td>
      <td>{profit !== undefined && <Profit {...profitParts(profit)} />}</td>
      <td class="less">{averagePrice?.toFixed(3)}</td>
      <td class="less">{row.unmatched === 0 ? '' : amount(row.unmatched)}</td>
      <td class={`less word-${row.tone}`}>{row.state}</td>
      <td class="less">
        <Age at={row.placedAt} />
      </td>
      <td class="less">
        {row.owner}
        {row.wallet !== '' && <small>{row.wallet}</small>}
      </td>
    </tr>
  );
}

function profitParts({ value, isSettled }: NonNullable<OrderRow['profit']>) {
  return isSettled ? { settled: value, open: undefined } : { settled: undefined, open: { value } };
}
