/** The outcomes of a market at an instant: best prices, last, traded, own stake, and what each would bring. */

import type { OutcomeStatus } from '../../../core/market.ts';
import type { ViewMarket } from '../../../pages/view-data.ts';
import { amount, signed, tone } from '../../../words/numbers.ts';
import { sideWord } from '../../../words/side-words.ts';
import { countColumn, Grid, type GridColumn } from '../../parts/grid.tsx';
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

interface Row extends Pick<OutcomesParts, 'choice'> {
  readonly id: string;
  readonly title: string;
  readonly place: number;
  readonly book: OutcomeBook;
  readonly status: OutcomeStatus | undefined;
  /** Own stake that rests on it. */
  readonly resting: number;
  readonly profit: number | undefined;
}

export function Outcomes({ market, reel, own, profits, choice, statuses }: OutcomesParts) {
  const isExact = market.winners.min === 1 && market.winners.max === 1;
  const restingOn = (outcome: number): number =>
    exact(own.reduce((sum, { order, resting }) => sum + (order.outcome === outcome ? resting : 0), 0));
  const rows = market.outcomes.flatMap(({ id, title }, place): readonly Row[] => {
    const [book, status, profit] = [reel.outcomes[place], statuses[place], profits?.[place]];
    return book === undefined ? [] : [{ id, title, place, book, status, profit, choice, resting: restingOn(place) }];
  });
  const ifItWins: GridColumn<Row> = {
    label: isExact ? 'if it wins' : 'if it alone wins',
    about: 'What the fills so far would bring, before commission',
    cell: ({ profit, status }) => profit !== undefined && (status === 'Removed' ? 'void' : signed(profit)),
    tone: ({ profit = 0, status }) => (status === 'Removed' ? '' : tone(profit)),
  };
  return (
    <section class="card">
      <div class="head">
        <h3>Outcomes</h3>
        <span class="soft small-print">choose one; + shows its ladder too</span>
      </div>
      <Grid
        id="outcomes"
        columns={[...columns(), ifItWins]}
        rows={rows}
        keyOf={({ id }) => id}
        rowLook={({ place }) => (choice.focus === place ? 'chosen' : '')}
      />
      <p class="small-print soft">
        {profits === undefined
          ? 'Nothing of yours was matched so far.'
          : `${isExact ? '' : 'Of one winner alone. '}By the fills so far, before commission.`}
      </p>
    </section>
  );
}

function columns(): readonly GridColumn<Row>[] {
  return [
    { label: 'outcome', cell: Name },
    best('For'),
    best('Against'),
    { label: 'last', about: 'Last traded price', cell: ({ book: { last } }) => last !== undefined && priceText(last) },
    countColumn('traded', ({ book }) => Math.round(book.tradedSum) || undefined, {
      about: 'Backer’s stake traded so far',
    }),
  ];
}

/** Resting Against stake is what a For bet meets, and the other way round. */
function best(side: 'For' | 'Against'): GridColumn<Row> {
  const resting = side === 'For' ? 'against' : 'for';
  return {
    label: sideWord(side),
    about: `Best price for ${sideWord(side)} bets, and the stake there`,
    cell: ({ book }) => {
      const price = bestOf(book, resting);
      if (price === undefined) return null;
      return (
        <>
          {priceText(price)}
          <small>{shortStakeText(book[resting].get(price) ?? 0)}</small>
        </>
      );
    },
    tone: () => (side === 'For' ? 'back' : 'lay'),
  };
}

function Name({ title, place, status, resting, choice }: Row) {
  const isShown = choice.shown.includes(place);
  return (
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
        aria-pressed={choice.focus === place ? 'true' : 'false'}
        onClick={() => choice.choose(place)}
      >
        {title}
      </button>
      {status !== undefined && status !== 'Active' && <small>{status.toLowerCase()}</small>}
      {resting > 0 && <small title="Own unmatched stake that rests on it">{amount(resting)} own</small>}
    </span>
  );
}

function priceText(price: number): string {
  return (price / 1000).toFixed(2);
}
