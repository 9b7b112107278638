/** The full ladder of an outcome: every price of it in a place that never moves, scrolled to where it trades. */

import { Component, type VNode } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { OutcomeStatus } from '../../../core/market.ts';
import { amount, count } from '../../../words/numbers.ts';
import { offerWord, sideWord } from '../../../words/side-words.ts';
import { bestOf, type OutcomeBook } from '../play/book.ts';
import { type OwnAt, type OwnLevel, orderName } from '../play/own.ts';
import { isOnLadder, ladderPrices } from '../play/price-places.ts';
import { stakeText } from '../play/stake-text.ts';

interface FullLadderParts {
  readonly title: string;
  readonly status: OutcomeStatus | undefined;
  readonly book: OutcomeBook;
  readonly own: ReadonlyMap<string, OwnLevel>;
  /** All prices of its market, where they are not those of the exchange’s ladder. */
  readonly ownPrices: readonly number[] | undefined;
  /** What the last update changed: `for 2100`. */
  readonly changed: ReadonlySet<string>;
  /** Changes with each update, so that a level that changes twice flashes twice. */
  readonly turn: number;
  readonly isFocus: boolean;
  readonly onFocus: () => void;
  readonly onClose: (() => void) | undefined;
}

export function FullLadder(parts: FullLadderParts) {
  const { title, status, book, own, ownPrices, isFocus, onFocus, onClose } = parts;
  const prices = usePrices(book, own, ownPrices);
  const best = { lay: bestOf(book, 'for'), back: bestOf(book, 'against') };
  const rows = useRows(parts, prices, best);
  const middle = middlePrice(best, book.last);
  const { scroll, isHeld, centre, onScroll } = useCentre(prices, middle);
  return (
    <section class={`card ladder full ${isFocus ? 'focus' : ''}`}>
      <div class="head">
        <h3>
          <button type="button" class="title" title="Its prices in the time line" onClick={onFocus}>
            {title}
          </button>
          {status !== undefined && status !== 'Active' && <small> {status.toLowerCase()}</small>}
        </h3>
        <span class="soft traded-sum" title="Backer’s stake traded on it so far">
          traded {count(Math.round(book.tradedSum))}
        </span>
        <button
          type="button"
          class="quiet"
          disabled={!isHeld}
          title="Returns to where it trades, and stays there"
          onClick={centre}
        >
          centre
        </button>
        {onClose !== undefined && (
          <button
            type="button"
            class="quiet"
            aria-label={`Take the ladder of ${title} away`}
            title="Take this ladder away"
            onClick={onClose}
          >
            ×
          </button>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll the ladder. */}
      <div class="levels" ref={scroll} onScroll={onScroll} tabIndex={0}>
        <table aria-label={`Ladder of ${title}`}>
          <Head />
          <tbody>{rows}</tbody>
        </table>
      </div>
    </section>
  );
}

function Head() {
  return (
    <thead>
      <tr>
        <th scope="col" title={`Own ${sideWord('Against')} bets that wait at this price`}>
          own
        </th>
        <th scope="col" title={`What others offer to ${sideWord('For')} bets`}>
          {offerWord('For')}
        </th>
        <th scope="col">price</th>
        <th scope="col" title={`What others offer to ${sideWord('Against')} bets`}>
          {offerWord('Against')}
        </th>
        <th scope="col" title={`Own ${sideWord('For')} bets that wait at this price`}>
          own
        </th>
        <th scope="col" title="Backer’s stake traded at the price so far">
          traded
        </th>
      </tr>
    </thead>
  );
}

/** Rows never go away: a price of another ladder that was seen once keeps its place. */
function usePrices(
  book: OutcomeBook,
  own: ReadonlyMap<string, OwnLevel>,
  ownPrices: readonly number[] | undefined,
): readonly number[] {
  const seen = useRef(new Set<number>());
  for (const levels of [book.for, book.against, book.traded])
    for (const price of levels.keys()) if (ownPrices === undefined && !isOnLadder(price)) seen.current.add(price);
  for (const { price } of own.values()) if (!isOnLadder(price)) seen.current.add(price);
  return useMemo(() => ladderPrices(seen.current, ownPrices), [seen.current.size, ownPrices]);
}

interface Best {
  readonly back: number | undefined;
  readonly lay: number | undefined;
}

function middlePrice({ back, lay }: Best, last: number | undefined): number | undefined {
  if (back !== undefined && lay !== undefined) return last !== undefined && last >= back && last <= lay ? last : back;
  return last ?? back ?? lay;
}

function useRows(parts: FullLadderParts, prices: readonly number[], best: Best): readonly VNode[] {
  const { book, own, changed, turn } = parts;
  const most = useScale(book, prices, best);
  return prices.map((price) => {
    const facts: RowFacts = {
      price,
      most,
      back: book.against.get(price) ?? 0,
      lay: book.for.get(price) ?? 0,
      traded: book.traded.get(price) ?? 0,
      ownBack: own.get(`back ${price}`),
      ownLay: own.get(`lay ${price}`),
      best: price === best.back ? 'back' : price === best.lay ? 'lay' : '',
      isLast: price === book.last,
      flash: flashOf(changed, price, turn),
    };
    return <PriceLine key={price} facts={facts} shown={shownOf(facts)} />;
  });
}

/** Largest stakes near where it trades: what others park far away would make all bars short. */
interface Scale {
  readonly resting: number;
  readonly traded: number;
}

const NEAR = 25;

/** Goes up and down in steps, so that bars do not breathe with every update. */
function useScale(book: OutcomeBook, prices: readonly number[], best: Best): Scale {
  const middle = prices.indexOf(best.back ?? best.lay ?? book.last ?? -1);
  const from = Math.max(0, (middle < 0 ? Math.floor(prices.length / 2) : middle) - NEAR);
  let [resting, traded] = [1, 1];
  for (const price of prices.slice(from, from + 2 * NEAR)) {
    resting = Math.max(resting, book.against.get(price) ?? 0, book.for.get(price) ?? 0);
    traded = Math.max(traded, book.traded.get(price) ?? 0);
  }
  return { resting: roundUp(resting), traded: roundUp(traded) };
}

function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 1.5, 2, 3, 5, 7, 10].find((times) => times * power >= value) ?? 10) * power;
}

interface RowFacts {
  readonly price: number;
  readonly most: Scale;
  readonly back: number;
  readonly lay: number;
  readonly traded: number;
  readonly ownBack: OwnLevel | undefined;
  readonly ownLay: OwnLevel | undefined;
  readonly best: '' | 'back' | 'lay';
  readonly isLast: boolean;
  /** Classes by column. */
  readonly flash: Readonly<Record<'for' | 'against' | 'trade' | 'last', string>>;
}

const STILL = { for: '', against: '', trade: '', last: '' } as const;

function flashOf(changed: ReadonlySet<string>, price: number, turn: number): RowFacts['flash'] {
  if (changed.size === 0) return STILL;
  const of = (kind: string): string => (changed.has(`${kind} ${price}`) ? ` new new-${turn}` : '');
  return { for: of('for'), against: of('against'), trade: of('trade'), last: of('last') };
}

/** All that is seen of a row: one that shows the same as before is not drawn again. */
function shownOf({ most, back, lay, traded, ownBack, ownLay, best, isLast, flash }: RowFacts): string {
  const own = `${titleOf(ownBack)}|${titleOf(ownLay)}`;
  const bars = back + lay + traded === 0 ? '' : `${most.resting}|${most.traded}`;
  return `${back}|${lay}|${traded}|${own}|${best}|${isLast}|${bars}|${flash.for}${flash.against}${flash.trade}${flash.last}`;
}

interface RowParts {
  readonly facts: RowFacts;
  readonly shown: string;
}

class PriceLine extends Component<RowParts> implements Component<RowParts> {
  override shouldComponentUpdate({ shown }: RowParts): boolean {
    return shown !== this.props.shown;
  }

  override render({ facts }: RowParts) {
    const { price, most, back, lay, traded, ownBack, ownLay, best, isLast, flash } = facts;
    return (
      <tr data-price={price}>
        <Own level={ownBack} />
        <Stake stake={back} most={most.resting} kind={`back${best === 'back' ? ' best' : ''}${flash.against}`} />
        <th scope="row" class={`${isLast ? 'last' : ''}${flash.last}`} title={isLast ? 'Last traded price' : undefined}>
          {(price / 1000).toFixed(price % 10 === 0 ? 2 : 3)}
        </th>
        <Stake stake={lay} most={most.resting} kind={`lay${best === 'lay' ? ' best' : ''}${flash.for}`} />
        <Own level={ownLay} />
        <Stake stake={traded} most={most.traded} kind={`traded${flash.trade}`} />
      </tr>
    );
  }
}

/** The bar beneath is as long as the stake is of the scale. */
function Stake({ stake, most, kind }: { readonly stake: number; readonly most: number; readonly kind: string }) {
  return (
    <td class={kind}>
      {stake > 0 && <i style={{ width: `${Math.min(100, Math.max(2, (stake / most) * 100))}%` }} />}
      <span title={stake >= 1_000 ? amount(stake) : undefined}>{stake === 0 ? '' : stakeText(stake)}</span>
    </td>
  );
}

function Own({ level }: { readonly level: OwnLevel | undefined }) {
  return (
    <td class={`own ${level?.column ?? ''}`} title={titleOf(level)}>
      {level === undefined ? '' : amount(level.stake)}
    </td>
  );
}

function titleOf(level: OwnLevel | undefined): string | undefined {
  return level?.of.map(orderText).join('\n');
}

function orderText({ order, resting, matched }: OwnAt): string {
  const { side, price, queueAhead } = order;
  const name = orderName(order).replace('o', 'O');
  const before = queueAhead === undefined ? '' : `; ${amount(queueAhead)} stood before it when it arrived`;
  const taken = matched === 0 ? '' : `, ${amount(matched)} matched`;
  return `${name}: ${sideWord(side)} at ${price.toFixed(2)}, ${amount(resting)} unmatched${taken}${before}`;
}

interface Centre {
  readonly scroll: { current: HTMLDivElement | null };
  /** The reader looks elsewhere: it is not moved under his eyes. */
  readonly isHeld: boolean;
  readonly centre: () => void;
  readonly onScroll: () => void;
}

/**
 * Keeps a ladder where it trades, without moving it at every change: it stands still until the price that trades has left the middle, and
 * then that price is the new middle.
 */
function useCentre(prices: readonly number[], middle: number | undefined): Centre {
  const scroll = useRef<HTMLDivElement>(null);
  const ours = useRef(-1);
  const [isHeld, setHeld] = useState(false);
  const centreOn = (isAlways: boolean): void => {
    const box = scroll.current;
    const row = box?.querySelector('tbody tr');
    const place = middle === undefined ? Math.floor(prices.length / 2) : prices.indexOf(middle);
    if (box === null || !(row instanceof HTMLElement) || place < 0) return;
    const head = box.querySelector('thead')?.clientHeight ?? 0;
    const seen = box.clientHeight - head;
    const at = place * row.offsetHeight + row.offsetHeight / 2 - box.scrollTop;
    if (!isAlways && at > seen * 0.2 && at < seen * 0.8) return;
    box.scrollTop += at - seen / 2;
    ours.current = box.scrollTop;
  };
  useLayoutEffect(() => {
    if (!isHeld) centreOn(false);
  }, [prices, middle, isHeld]);
  return {
    scroll,
    isHeld,
    centre: () => {
      setHeld(false);
      centreOn(true);
    },
    onScroll: () => {
      const top = scroll.current?.scrollTop ?? 0;
      if (Math.abs(top - ours.current) > 2) setHeld(true);
    },
  };
}
