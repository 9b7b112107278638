/** The frame of the view: the run, its markets, and the market that is played. */

import { useEffect, useState } from 'preact/hooks';
import type { ViewMarket, ViewMarketRow, ViewWelcome } from '../../pages/view-data.ts';
import { plural } from '../../words/numbers.ts';
import { LinkPage } from '../parts/link-page.tsx';
import { findSession, type NoSession, type SessionState } from '../parts/session.ts';
import { Played } from './market/played.tsx';
import { TroubleBar } from './market/trouble.tsx';
import { MarketList } from './market-list.tsx';
import { type Address, addressText, readAddress } from './play/address.ts';
import type { Trouble } from './play/answers.ts';
import { askMarket } from './play/requests.ts';

export function App({ first }: { readonly first: SessionState<ViewWelcome> }) {
  const [session, setSession] = useState(first);
  if (session.kind === 'open')
    return (
      <Open
        welcome={session.welcome}
        onClosed={setSession}
        onRefresh={() => void findSession<ViewWelcome>().then(setSession)}
      />
    );
  return (
    <LinkPage
      session={session}
      onOpen={setSession}
      closed={<HowToOpen next={session.next} />}
      silent={<HowToStart />}
    />
  );
}

function HowToOpen({ next }: { readonly next: string | undefined }) {
  return (
    <p>
      Each link opens the view once. {next ?? 'A new one is printed where the view is started:'}{' '}
      {next === undefined && <code>oddsmith view RUN_DIR</code>}
    </p>
  );
}

function HowToStart() {
  return (
    <p>
      Start it again, and open the link that it prints: <code>oddsmith view RUN_DIR</code>
    </p>
  );
}

interface OpenParts {
  readonly welcome: ViewWelcome;
  readonly onClosed: (why: NoSession) => void;
  readonly onRefresh: () => void;
}

/** The list stands beside the market from this width on. */
const WIDE = '(min-width: 900px)';

function Open({ welcome, onClosed, onRefresh }: OpenParts) {
  const { address, readAgain } = useAddress(welcome.markets);
  const [isListed, setListed] = useState(true);
  const row = welcome.markets.find(({ id }) => id === address.market);
  useEffect(() => {
    document.title = row === undefined ? `${welcome.name} · oddsmith` : `${row.event} ${row.name} · oddsmith`;
  }, [row, welcome]);
  return (
    <div class={`view ${isListed ? '' : 'alone'} ${address.market === undefined ? 'choosing' : ''}`}>
      <header class="run">
        <span class={`kind kind-${welcome.kind}`}>{welcome.kind}</span>
        <h1>{welcome.name}</h1>
        <span class="soft by">{welcome.strategies.join(', ')}</span>
        {welcome.notes.map((note) => (
          <p key={note} class="note">
            {note}
          </p>
        ))}
        <button type="button" class="quiet list-switch" aria-pressed={isListed} onClick={() => setListed(!isListed)}>
          {isListed ? 'Hide the markets' : 'Show the markets'}
        </button>
        {address.market !== undefined && (
          <a class="quiet back-to-list" href="#/">
            ‹ {plural(welcome.markets.length, 'market')}
          </a>
        )}
      </header>
      <div class="beside">
        <MarketList welcome={welcome} chosen={address.market} />
        <div class="shown">
          {address.market !== undefined && (
            <MarketPage
              key={address.market}
              welcome={welcome}
              row={row}
              address={address}
              onClosed={onClosed}
              onRefresh={() => {
                readAgain();
                onRefresh();
              }}
            />
          )}
        </div>
      </div>
      <footer>oddsmith {welcome.version} · times are UTC</footer>
    </div>
  );
}

/** The market in the address. A wide page has one open from the start; on a narrow one it is chosen first. */
function useAddress(markets: readonly ViewMarketRow[]) {
  const [address, setAddress] = useState(() => {
    const asked = readAddress(location.hash);
    const first = markets.find(({ why }) => why === undefined);
    if (asked.market !== undefined || first === undefined || !matchMedia(WIDE).matches) return asked;
    const opened = { ...asked, market: first.id };
    history.replaceState(undefined, '', addressText(opened));
    return opened;
  });
  useEffect(() => {
    const read = (): void => {
      // A new link was put into the address of a page that is open: it is opened by itself.
      if (location.hash.startsWith('#link=')) location.reload();
      else setAddress(readAddress(location.hash));
    };
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  return { address, readAgain: () => setAddress(readAddress(location.hash)) };
}

interface MarketParts {
  readonly welcome: ViewWelcome;
  readonly row: ViewMarketRow | undefined;
  readonly address: Address;
  readonly onClosed: (why: NoSession) => void;
  /** Reads what became of a run that goes on. */
  readonly onRefresh: () => void;
}

/** One market of the run: loaded, then played. */
function MarketPage({ welcome, row, address, onClosed, onRefresh }: MarketParts) {
  const [read, setRead] = useState<{ readonly market: ViewMarket; readonly turn: number }>();
  const [trouble, setTrouble] = useState<Trouble>();
  const [tries, setTries] = useState(0);
  const id = address.market ?? '';
  useEffect(() => {
    let isLeft = false;
    void askMarket(id).then((answer) => {
      if (isLeft) return;
      if (answer.kind === 'closed') onClosed({ ...answer, kind: 'closed' });
      else if (answer.kind === 'value') {
        setTrouble(undefined);
        setRead({ market: answer.value, turn: tries });
      } else setTrouble(answer);
    });
    return () => {
      isLeft = true;
    };
  }, [id, tries]);
  if (trouble !== undefined)
    return <TroubleBar trouble={trouble} restart={welcome.newLink} onRetry={() => setTries(tries + 1)} />;
  if (read === undefined) return <p class="empty">Reading {row?.event ?? id} …</p>;
  const refresh = (): void => {
    onRefresh();
    setTries(tries + 1);
  };
  return (
    <Played
      key={read.turn}
      welcome={welcome}
      market={read.market}
      address={address}
      onClosed={onClosed}
      onRefresh={welcome.kind === 'backtest' ? undefined : refresh}
    />
  );
}
