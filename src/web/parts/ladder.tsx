/** The ladder of an outcome: what can be backed and laid at each price, with own stake in it. */

import type { Ladder, LadderRow } from '../../pages/panels.ts';
import { amount, ladderStake } from '../../words/numbers.ts';

export function LadderTable({ ladder }: { readonly ladder: Ladder }) {
  const most = Math.max(1, ...ladder.rows.map(({ back, lay }) => Math.max(back, lay)));
  return (
    <div class="ladder">
      <table>
        <thead>
          <tr>
            <th scope="col">own</th>
            <th scope="col">to back</th>
            <th scope="col">price</th>
            <th scope="col">to lay</th>
            <th scope="col">own</th>
          </tr>
        </thead>
        <tbody>
          {ladder.rows.map((row) => (
            <Row key={row.price} row={row} most={most} />
          ))}
        </tbody>
      </table>
      {ladder.rows.length === 0 && <p class="empty">Nothing rests here.</p>}
    </div>
  );
}

function Row({ row, most }: { readonly row: LadderRow; readonly most: number }) {
  const { price, back, lay, ownBack, ownLay } = row;
  return (
    <tr>
      <td class="own">{ownBack === 0 ? '' : amount(ownBack)}</td>
      <Stake stake={back} most={most} column="back" />
      <th scope="row">{price.toFixed(2)}</th>
      <Stake stake={lay} most={most} column="lay" />
      <td class="own">{ownLay === 0 ? '' : amount(ownLay)}</td>
    </tr>
  );
}

interface StakeParts {
  readonly stake: number;
  readonly most: number;
  readonly column: 'back' | 'lay';
}

/** The bar beneath is as long as the stake is of the largest one shown. */
function Stake({ stake, most, column }: StakeParts) {
  return (
    <td class={column}>
      {stake > 0 && <i style={{ width: `${Math.max(2, (stake / most) * 100)}%` }} />}
      <span>{stake === 0 ? '' : ladderStake(stake)}</span>
    </td>
  );
}
