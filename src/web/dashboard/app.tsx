/** The frame of the dashboard: who it is, how it is, its pages, and whether what is shown is still true. */

import { useMemo, useState } from 'preact/hooks';
import type { Ended, Head, PageName, Panel, Welcome } from '../../pages/panels.ts';
import { LinkPage } from '../parts/link-page.tsx';
import type { SessionState } from '../parts/session.ts';
import { BotsPage } from './bots-page.tsx';
import { HaltButton } from './commands/halt-button.tsx';
import { CommandsPage } from './commands-page.tsx';
import { ExchangePage } from './exchange-page.tsx';
import { type Fed, STALE_MS, useFeed, useNow } from './feed.ts';
import { MarketPage } from './market-page.tsx';
import { MarketsPage } from './markets-page.tsx';
import { NowPage } from './now-page.tsx';
import { OrdersPage } from './orders-page.tsx';
import { RecordPage } from './record-page.tsx';
import { addressOf, eventsOf, type Route, useRoute } from './shown/route.ts';
import { ageText, type Moment, MomentContext, useMoment } from './shown/shown.tsx';

export function App({ first }: { readonly first: SessionState<Welcome> }) {
  const [session, setSession] = useState(first);
  const [before, setBefore] = useState<Welcome | undefined>(undefined);
  if (session.kind !== 'open')
    return (
      <LinkPage
        session={session}
        onOpen={setSession}
        closed={<HowToOpen newLink={before?.newLink ?? session.next} />}
      />
    );
  const { welcome } = session;
  const onClosed = (): void => {
    setBefore(welcome);
    setSession({ kind: 'closed', why: 'The session has ended.', next: undefined });
  };
  const onFound = (found: SessionState<Welcome>): void => {
    if (found.kind !== 'open') return;
    // Another version has other pages.
    if (found.welcome.version !== welcome.version) location.reload();
    else setSession(found);
  };
  return <Open welcome={welcome} onClosed={onClosed} onFound={onFound} />;
}

/** `newLink`: the command that makes one. */
function HowToOpen({ newLink }: { readonly newLink: string | undefined }) {
  return (
    <p>
      Each link opens the dashboard once. A new one is made where it runs, by its owner: <code>{newLink}</code>
    </p>
  );
}

interface OpenParts {
  readonly welcome: Welcome;
  readonly onClosed: () => void;
  readonly onFound: (found: SessionState<Welcome>) => void;
}

function Open({ welcome, onClosed, onFound }: OpenParts) {
  const route = useRoute(welcome.pages);
  const fed = useFeed(eventsOf(route), onFound);
  const page = useNow();
  const load = fed.head?.load;
  const silentMs = Math.max(0, page - fed.heardAt);
  // A run that said that it has ended sends nothing more: what is shown is its last state, and true.
  const ended = fed.isClosed ? undefined : fed.head?.ended;
  const isStale = ended === undefined && (fed.isCut || silentMs > STALE_MS);
  const moment: Moment = { now: (fed.head?.at ?? 0) + silentMs, silentMs, isStale };
  return (
    <MomentContext.Provider value={moment}>
      <div class={moment.isStale ? 'all stale' : 'all'}>
        <Top welcome={welcome} head={fed.head} route={route} moment={moment} />
        {moment.isStale && <Stale fed={fed} silentMs={silentMs} welcome={welcome} onClosed={onClosed} />}
        {ended !== undefined && <Over ended={ended} />}
        <Shown welcome={welcome} route={route} fed={fed} />
        <footer>
          <span>
            oddsmith {welcome.version}
            {load === undefined ? '' : ` · the dashboard takes ${(load * 100).toFixed(1)} % of a core`} · times are UTC
          </span>
        </footer>
      </div>
    </MomentContext.Provider>
  );
}

const TITLES: Readonly<Record<PageName, string>> = {
  now: 'Now',
  exchange: 'Exchange',
  markets: 'Markets',
  market: 'Market',
  orders: 'Orders',
  record: 'Record',
  commands: 'Commands',
  bots: 'Runs',
};

interface TopParts {
  readonly welcome: Welcome;
  readonly head: Head | undefined;
  readonly route: Route;
  readonly moment: Moment;
}

function Top({ welcome, head, route, moment }: TopParts) {
  const { pages, name, kind } = welcome;
  const isCurrent = (page: PageName) => page === route.page || (page === 'markets' && route.page === 'market');
  return (
    <header class="top">
      <div class="who">
        <span class={`kind kind-${kind}`}>{kind === 'bots' ? 'runs' : kind}</span>
        <h1>{name}</h1>
        {head?.ended === undefined && (
          <span class={moment.isStale ? 'pulse off' : 'pulse'} title="How long ago the last event came">
            {ageText(moment.silentMs)}
          </span>
        )}
      </div>
      <ul class="words">
        {head?.words.map(({ label, text, tone }) => (
          <li key={label} class={`chip word-${tone}`}>
            <small>{label}</small> {text}
          </li>
        ))}
      </ul>
      {head?.halt !== undefined && head.ended === undefined && !moment.isStale && (
        <HaltButton halt={head.halt} welcome={welcome} />
      )}
      {pages.length > 1 && (
        <nav>
          {pages
            .filter((page) => page !== 'market')
            .map((page) => (
              <a key={page} href={addressOf({ page })} aria-current={isCurrent(page) ? 'page' : undefined}>
                {TITLES[page]}
                {page === 'commands' && (head?.pending ?? 0) > 0 && <b class="badge">{head?.pending}</b>}
              </a>
            ))}
        </nav>
      )}
    </header>
  );
}

function Over({ ended: { text, tone } }: { readonly ended: Ended }) {
  return (
    <p class={`over word-${tone}`} role="status">
      <b>{text}</b> This page shows its last state, and goes on by itself when the run is started again.
    </p>
  );
}

interface StaleParts {
  readonly fed: Fed;
  readonly silentMs: number;
  readonly welcome: Welcome;
  readonly onClosed: () => void;
}

function Stale({ fed, silentMs, welcome, onClosed }: StaleParts) {
  if (fed.isClosed)
    return (
      <div class="alarm" role="alert">
        <b>What you see is old: the session has ended.</b> Nothing has come for {ageText(silentMs)}. Make a new link
        where it runs, by <code>{welcome.newLink}</code>, and{' '}
        <button type="button" class="quiet" onClick={onClosed}>
          open it here
        </button>
      </div>
    );
  return (
    <div class="alarm" role="alert">
      <b>What you see is old.</b> Nothing has come for {ageText(silentMs)}:{' '}
      {fed.why ?? 'the process has ended, stands still, or the line is down.'} It is tried again all the time.{' '}
      {welcome.kind !== 'sandbox' && welcome.kind !== 'bots' && (
        <>
          A run may go on without this page, and orders without the run: where it runs, <code>oddsmith status</code>{' '}
          says how it is, and <code>oddsmith halt</code> stops it.
        </>
      )}
    </div>
  );
}

/** What was sent for another page is not shown in this one. */
function Shown({ welcome, route, fed }: { readonly welcome: Welcome; readonly route: Route; readonly fed: Fed }) {
  const { panel, lines } = fed;
  const isIts = panel?.page === route.page;
  const { isStale } = useMoment();
  const isOver = fed.head?.ended !== undefined;
  const waiting =
    isStale || isOver ? 'This page was not read before the line broke. It comes with the next event.' : '…';
  const shown = useMemo(
    () => (isIts && panel !== undefined ? pageOf({ welcome, route, panel, lines }) : <p class="empty">{waiting}</p>),
    [isIts, waiting, panel, lines, route.page, route.id, route.find, route.which],
  );
  return shown;
}

interface PageParts {
  readonly welcome: Welcome;
  readonly route: Route;
  readonly panel: Panel;
  readonly lines: Fed['lines'];
}

function pageOf({ welcome, route, panel, lines }: PageParts) {
  switch (panel.page) {
    case 'now':
      return <NowPage panel={panel} welcome={welcome} />;
    case 'exchange':
      return <ExchangePage panel={panel} />;
    case 'markets':
      return <MarketsPage panel={panel} route={route} />;
    case 'market':
      return <MarketPage panel={panel} route={route} welcome={welcome} />;
    case 'orders':
      return <OrdersPage panel={panel} route={route} welcome={welcome} />;
    case 'record':
      return <RecordPage panel={panel} lines={lines} />;
    case 'commands':
      return <CommandsPage panel={panel} route={route} welcome={welcome} />;
    case 'bots':
      return <BotsPage panel={panel} welcome={welcome} />;
  }
}
