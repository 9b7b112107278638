/** The markets of a run: those with own orders first; searched by text, walked by the arrow keys. */

import { useRef, useState } from 'preact/hooks';
import type { ViewMarketRow, ViewWelcome } from '../../pages/view-data.ts';
import { marketLabel } from '../../words/market-label.ts';
import { count, dayText, plural, signed, tone, utc } from '../../words/numbers.ts';
import { addressText } from './play/address.ts';

/** This many are shown at first. */
const ROWS_SHOWN = 200;

export function MarketList({ welcome, chosen }: Readonly<{ welcome: ViewWelcome; chosen: string | undefined }>) {
  const [text, setText] = useState('');
  const [shown, setShown] = useState(ROWS_SHOWN);
  const list = useRef<HTMLElement>(null);
  const years = new Set(
    welcome.markets.flatMap(({ startsAt }) => (startsAt === undefined ? [] : utc(startsAt).slice(0, 4))),
  );
  const hasYear = years.size > 1;
  const found = welcome.markets.filter((row) => holds(row, text));
  const walk = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const links = [...(list.current?.querySelectorAll<HTMLAnchorElement>('a.market') ?? [])];
    const from = links.findIndex((link) => link === document.activeElement || link.ariaCurrent === 'page');
    const next = links[Math.max(0, Math.min(links.length - 1, from + step))];
    next?.focus();
    next?.click();
  };
  return (
    <nav class="markets" aria-label="Markets" ref={list} onKeyDown={walk}>
      <input
        type="search"
        value={text}
        placeholder={`Find in ${plural(welcome.markets.length, 'market')}`}
        aria-label="Find a market"
        title="By event, name or id; ↑ and ↓ walk the list"
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <ol>
        {found.slice(0, shown).map((row) => (
          <li key={row.id}>
            <MarketLine row={row} isChosen={row.id === chosen} hasYear={hasYear} />
          </li>
        ))}
      </ol>
      {found.length === 0 && <p class="empty">No market holds “{text}”.</p>}
      {found.length > shown && (
        <button type="button" class="quiet" onClick={() => setShown(shown + ROWS_SHOWN)}>
          {count(found.length - shown)} more
        </button>
      )}
    </nav>
  );
}

function MarketLine({ row, isChosen, hasYear }: Readonly<{ row: ViewMarketRow; isChosen: boolean; hasYear: boolean }>) {
  const { id, event, name, startsAt, orders, fills, profit, refusal, why } = row;
  const label = marketLabel({ eventName: event, name });
  const words = (
    <>
      <b>{label === '' ? id : label}</b>
      {profit !== undefined && orders > 0 && (
        <span class={`profit ${tone(profit)}`} title="Net profit">
          {signed(profit)}
        </span>
      )}
      <small>
        {startsAt === undefined ? 'no start known' : `${dayText(startsAt, hasYear)} ${utc(startsAt).slice(11, 16)}`}
        {orders > 0 && ` · ${plural(orders, 'order')}, ${plural(fills, 'fill')}`}
        {why !== undefined ? ` · ${why}` : refusal !== undefined && ` · not played: ${refusal.split(':')[0]}`}
      </small>
    </>
  );
  if (why !== undefined) return <span class="market off">{words}</span>;
  const address = addressText({ market: id, at: undefined, outcomes: [], speed: undefined });
  return (
    <a class="market" href={address} aria-current={isChosen ? 'page' : undefined}>
      {words}
    </a>
  );
}

function holds({ id, event, name }: ViewMarketRow, text: string): boolean {
  const all = `${event} ${name} ${id}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
