/** Full ladders side by side, as many as there is room for. */

import { useLayoutEffect, useRef } from 'preact/hooks';
import type { OutcomeStatus } from '../../../core/market.ts';
import type { ViewMarket } from '../../../pages/view-data.ts';
import type { PartReel } from '../play/book.ts';
import { type OwnAt, ownLevels } from '../play/own.ts';
import type { Choice } from '../play/use-chosen.ts';
import { FullLadder } from './full-ladder.tsx';

interface LadderParts {
  readonly market: ViewMarket;
  readonly reel: PartReel;
  readonly own: readonly OwnAt[];
  readonly choice: Choice;
  readonly statuses: readonly OutcomeStatus[];
  /** Nothing flashes: it goes too fast for that. */
  readonly isCalm: boolean;
}

/** Pixels that a ladder needs at least, with the gap beside it. */
const LEAST = 318;

export function Ladders({ market, reel, own, choice, statuses, isCalm }: LadderParts) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const measure = () => choice.setRoom(Math.max(1, Math.floor((element.clientWidth + 12) / LEAST)));
    // At once, so that the first picture has all ladders that it has room for.
    measure();
    const sized = new ResizeObserver(measure);
    sized.observe(element);
    return () => sized.disconnect();
  }, []);
  const { shown } = choice;
  const changes = isCalm ? [] : reel.changes();
  return (
    <div class="ladders" ref={place}>
      {shown.map((outcome) => {
        const book = reel.outcomes[outcome];
        return (
          book && (
            <FullLadder
              key={outcome}
              title={market.outcomes[outcome]?.title ?? ''}
              status={statuses[outcome]}
              book={book}
              own={ownLevels(own, outcome)}
              ownPrices={market.ownPrices}
              changed={
                new Set(changes.filter((each) => each.outcome === outcome).map(({ kind, price }) => `${kind} ${price}`))
              }
              turn={reel.applied % 2}
              isFocus={outcome === choice.focus && shown.length > 1}
              onFocus={() => choice.choose(outcome)}
              onClose={shown.length > 1 ? () => choice.toggle(outcome) : undefined}
            />
          )
        );
      })}
    </div>
  );
}
