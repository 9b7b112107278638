/** The outcomes of a market at an instant: best prices, last, traded, own stake, and what each would bring. */

import type { OutcomeStatus } from '../../../core/market.ts';
import type { ViewMarket } from '../../../pages/view-data.ts';
import { amount, count, signed, tone } from '../../../words/numbers.ts';
import { sideWord } from '../../../words/side-words.ts';
import { bestOf, exact, type OutcomeBook, type PartReel } from '../play/book.ts';
import type { OwnAt } from '../play/own.ts';
import { shortStakeText } from '../play/stake-text.ts';
import type { Choice } from '../play/use-chosen.ts';

interface OutcomesParts {
  readonly market: ViewMarket;
  readonly reel: PartReel;
  readonly own: readonly OwnAt[];
  readonly profits: readonly number[] | undefined;
  readonly choice: Choice;
  readonly statuses: readonly OutcomeStatus[];
}

export function Outcomes({ market, reel, own, profits, choice, statuses }: OutcomesParts) {
  const isExact = market.winners.min === 1 && market.winners.max === 1;
  return (
    <section class="card">
      <div class="head">
        <h3>Outcomes</h3>
        <span class="soft small-print">choose one; + shows its ladder too</span>
      </div>
      <div class="wide">
        <table id="outcomes">
          <Head isExact={isExact} />
          <tbody>
            {market.outcomes.map(({ id, title }, place) => {
              const book = reel.outcomes[place];
              const resting = exact(
                own.reduce((sum, each) => sum + (each.order.outcome === place ? each.resting : 0), 0),
              );
              return (
                book && (
                  <Outcome
                    key={id}
                    title={title}
                    place={place}
                    book={book}
                    status={statuses[place]}
                    resting={resting}
                    profit={profits?.[place]}
                    choice={choice}
                  />
                )
              );
            })}
          </tbody>
        </table>
      </div>
      <p class="small-print soft">
        {profits === undefined
          ? 'Nothing of yours was matched so far.'
          : `${isExact ? '' : 'Of one winner alone. '}By the fills so far, before commission.`}
      </p>
    </section>
  );
}

function Head({ isExact }: { readonly isExact: boolean }) {
  return (
    <thead>
      <tr>
        <th scope="col">outcome</th>
        <th scope="col" title={`Best price for ${sideWord('For')} bets, and the stake there`}>
          {sideWord('For')}
        </th>
        <th scope="col" title={`Best price for ${sideWord('Against')} bets, and the stake there`}>
          {sideWord('Against')}
        </th>
        <th scope="col" title="Last traded price">
          last
        </th>
        <th scope="col" title="Backer’s stake traded so far">
          traded
        </th>
        <th scope="col" title="What the fills so far would bring, before commission">
          {isExact ? 'if it wins' : 'if it alone wins'}
        </th>
      </tr>
    </thead>
  );
}

interface OutcomeParts {
  readonly title: string;
  readonly place: number;
  readonly book: OutcomeBook;
  readonly status: OutcomeStatus | undefined;
  readonly resting: number;
  readonly profit: number | undefined;
  readonly choice: Choice;
}

function Outcome({ title, place, book, status, resting, profit, choice }: OutcomeParts) {
  const isFocus = choice.focus === place;
  const isShown = choice.shown.includes(place);
  return (
    <tr class={isFocus ? 'chosen' : ''}>
      <td>
        <span class="named">
          <button
            type="button"
            class="add"
            title={isShown ? 'Its ladder is shown: take it away' : 'Its ladder beside the others'}
            aria-label={`Ladder of ${title}`}
            aria-pressed={isShown ? 'true' : 'false'}
            onClick={() => choice.toggle(place)}
          >
            {isShown ? '−' : '+'}
          </button>
          <button
            type="button"
            class="open"
            aria-pressed={isFocus ? 'true' : 'false'}
            onClick={() => choice.choose(place)}
          >
            {title}
          </button>
          {status !== undefined && status !== 'Active' && <small>{status.toLowerCase()}</small>}
          {resting > 0 && <small title="Own unmatched stake that rests on it">{amount(resting)} own</small>}
        </span>
      </td>
      <Best book={book} side="against" />
      <Best book={book} side="for" />
      <td>{book.last === undefined ? '' : priceText(book.last)}</td>
      <td>{book.tradedSum === 0 ? '' : count(Math.round(book.tradedSum))}</td>
      <td class={profit === undefined || status === 'Removed' ? '' : tone(profit)}>
        {profit === undefined ? '' : status === 'Removed' ? 'void' : signed(profit)}
      </td>
    </tr>
  );
}

/** Resting Against stake is what can be backed, resting For stake what can be laid. */
function Best({ book, side }: { readonly book: OutcomeBook; readonly side: 'for' | 'against' }) {
  const price = bestOf(book, side);
  return (
    <td class={side === 'against' ? 'back' : 'lay'}>
      {price !== undefined && priceText(price)}
      {price !== undefined && <small>{shortStakeText(book[side].get(price) ?? 0)}</small>}
    </td>
  );
}

function priceText(price: number): string {
  return (price / 1000).toFixed(2);
}
