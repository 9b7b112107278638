/** One order from its decision to its settlement. */

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { reasonInWords } from '../../../pages/reason-words.ts';
import type { MarketResult } from '../../../result/result.ts';
import { amount, signed, tone, utcMs } from '../../../words/numbers.ts';
import { offerWord, sideWord } from '../../../words/side-words.ts';
import type { Fill, Order } from '../data/run-data.ts';

export interface OrderLifeParts {
  readonly order: Order;
  readonly fills: readonly Fill[];
  readonly market: MarketResult;
  /** Whether the run is a backtest: nobody kept what was offered in a live or paper run, and what stood in the queue. */
  readonly isBacktest: boolean;
  readonly onClose: () => void;
}

export function OrderLife({ order, fills, market, isBacktest, onClose }: OrderLifeParts) {
  const { id, strategy, title, side, price, stake, note } = order;
  const place = useRef<HTMLElement>(null);
  useEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), [order]);
  return (
    <section ref={place} class="life" aria-label={`Order ${id}`}>
      <div class="head">
        <h3>
          Order {id} of {strategy}: {sideWord(side)} {title}, {amount(stake)} at {String(price)}
        </h3>
        <button type="button" class="quiet" onClick={onClose}>
          Close
        </button>
      </div>
      <ol>
        <Step at={order.decidedAt} what="Decided">
          {isBacktest && offered(order)}
          {note !== undefined && <q>{note}</q>}
        </Step>
        <Step at={order.decidedAt} what="Allowed">
          no limit refused it
        </Step>
        <Arrival order={order} isBacktest={isBacktest} />
        {fills.slice(0, FILLS_SHOWN).map((fill) => (
          <Step key={fill.at} at={fill.at} what="Matched">
            {amount(fill.stake)} at {String(fill.price)}
            {fill.after10s !== undefined && `; traded 10 s later at ${fill.after10s}`}
            {fill.after60s !== undefined && `, 60 s later at ${fill.after60s}`}
          </Step>
        ))}
        {fills.length > FILLS_SHOWN && <li class="soft">and {fills.length - FILLS_SHOWN} more fills</li>}
        <End order={order} fills={fills} />
        <Settlement order={order} market={market} />
      </ol>
    </section>
  );
}

const FILLS_SHOWN = 50;

function Step({ at, what, children }: Readonly<{ at: number | undefined; what: string; children: ComponentChildren }>) {
  return (
    <li>
      <time>{at === undefined ? '–' : utcMs(at).slice(11)}</time>
      <b>{what}</b>
      <span>{children}</span>
    </li>
  );
}

function offered({ bestAgainst, bestFor }: Order): string {
  const back =
    bestAgainst === undefined ? `nothing ${offerWord('For')}` : `best price ${offerWord('For')} ${bestAgainst}`;
  const lay =
    bestFor === undefined ? `nothing ${offerWord('Against')}` : `best price ${offerWord('Against')} ${bestFor}`;
  return `${back}, ${lay}`;
}

function Arrival({ order, isBacktest }: Pick<OrderLifeParts, 'order' | 'isBacktest'>) {
  const { arrivedAt, decidedAt, queueAhead, status, reason } = order;
  if (arrivedAt === undefined) {
    return (
      <Step at={undefined} what="Not accepted">
        {reason === undefined ? 'the recording ended before it arrived' : reasonInWords(reason)}
      </Step>
    );
  }
  const after = `${Math.round(arrivedAt - decidedAt)} ms after the decision`;
  const queue =
    queueAhead === undefined
      ? status !== undefined && isBacktest
        ? ', never rested'
        : ''
      : queueAhead === 0
        ? ', first in its queue'
        : `, with ${amount(queueAhead)} ahead of it`;
  return (
    <Step at={arrivedAt} what={status === undefined ? 'Rejected' : 'Arrived'}>
      {after}
      {queue}
      {status === undefined && reason !== undefined && `: ${reasonInWords(reason)}`}
    </Step>
  );
}

function End({ order, fills }: { readonly order: Order; readonly fills: readonly Fill[] }) {
  const { endedAt, status, reason, matched, stake, averagePrice } = order;
  if (status === undefined) return null;
  const isWhole = matched >= stake;
  const what = isWhole ? 'Complete' : endedAt === undefined ? 'Open' : status === 'Cancelled' ? status : 'Ended';
  return (
    <Step at={endedAt} what={what}>
      {amount(matched)} of {amount(stake)} matched
      {averagePrice !== undefined && ` at ${amount(averagePrice, 3)} on average`}
      {isReduced(order, fills) && ', lowered after the fills since an outcome was removed'}
      {reason !== undefined && `; ${reasonInWords(reason)}`}
    </Step>
  );
}

/** A removed outcome lowers the prices of bets that were matched before: the average is then not that of the fills. */
function isReduced({ averagePrice, matched }: Order, fills: readonly Fill[]): boolean {
  if (averagePrice === undefined || matched === 0) return false;
  const mean = fills.reduce((sum, { price, stake }) => sum + price * stake, 0) / matched;
  return mean - averagePrice > 0.005;
}

function Settlement({ order, market }: { readonly order: Order; readonly market: MarketResult }) {
  if (order.profit === undefined || order.matched === 0) return null;
  const result = market.outcomes.find(({ id }) => id === order.outcome)?.result;
  return (
    <Step at={market.settledAt} what={market.status}>
      {result !== undefined && `${order.title}: ${result}; `}
      <b class={tone(order.profit)}>{signed(order.profit)}</b> before commission
    </Step>
  );
}
