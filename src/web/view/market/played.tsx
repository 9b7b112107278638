/** A market while it is played: its head, time line, ladders and own orders at one instant. */

import { useEffect, useMemo } from 'preact/hooks';
import type { ViewMarket, ViewPlot, ViewWelcome } from '../../../pages/view-data.ts';
import { marketLabel } from '../../../words/market-label.ts';
import { amount, utcMs } from '../../../words/numbers.ts';
import { offerWord, sideWord } from '../../../words/side-words.ts';
import type { NoSession } from '../../parts/session.ts';
import { Ladders } from '../ladder/ladders.tsx';
import type { Address } from '../play/address.ts';
import { countUpTo } from '../play/book.ts';
import { offText, stateAt, stateWords } from '../play/moment.ts';
import { eventsAt, type OwnAt, orderName, ownAt, positionAt } from '../play/own.ts';
import type { Player } from '../play/player.ts';
import { useChosen } from '../play/use-chosen.ts';
import { TimeLine } from '../time-line/time-line.tsx';
import { Controls } from './controls.tsx';
import { Outcomes } from './outcomes.tsx';
import { OwnOrders } from './own-orders.tsx';
import { TroubleBar } from './trouble.tsx';
import { KEYS_HELP, useKeys } from './use-keys.ts';
import { usePlayer, useWrittenAddress } from './use-player.ts';

interface PlayedParts {
  readonly welcome: ViewWelcome;
  readonly market: ViewMarket;
  readonly address: Address;
  readonly onClosed: (why: NoSession) => void;
  /** Undefined where the run has ended and nothing can become of it. */
  readonly onRefresh: (() => void) | undefined;
}

export function Played({ welcome, market, address, onClosed, onRefresh }: PlayedParts) {
  const { player, cache, act } = usePlayer(market, address);
  const choice = useChosen(market, address);
  useWrittenAddress(player, choice.asked);
  useKeys(player, act);
  const { trouble } = cache;
  useEffect(() => {
    if (trouble?.kind === 'closed') onClosed({ ...trouble, kind: 'closed' });
  }, [trouble]);
  const { at, reel } = player;
  const ownEvents = countUpTo(player.own, at);
  const state = stateAt(market.states, at);
  const own = useMemo(() => ownSoFar(market, at), [market, ownEvents]);
  const profits = useMemo(() => positionAt(market, at, state?.outcomes ?? []), [market, ownEvents, state]);
  const statuses = state?.outcomes ?? [];
  const version = reel === undefined ? '' : `${reel.part}:${reel.applied}`;
  const isCalm = player.direction !== 0 && Number(player.speed) >= 100;
  const ladders = useMemo(
    () => reel && <Ladders market={market} reel={reel} own={own} choice={choice} statuses={statuses} isCalm={isCalm} />,
    [version, own, choice, state, isCalm],
  );
  const outcomes = useMemo(
    () =>
      reel && <Outcomes market={market} reel={reel} own={own} profits={profits} choice={choice} statuses={statuses} />,
    [version, own, profits, choice, state],
  );
  return (
    <>
      <div class="stage">
        <Head market={market} player={player} />
        <Controls player={player} act={act} onRefresh={onRefresh} />
      </div>
      {trouble !== undefined && trouble.kind !== 'closed' && (
        <TroubleBar trouble={trouble} restart={welcome.newLink} onRetry={() => cache.retry()} />
      )}
      <TimeLine market={market} player={player} act={act} outcome={choice.focus} />
      {reel === undefined && <p class="empty waiting">Waiting for data …</p>}
      <div class="table">
        <div>
          {ladders}
          <Truth welcome={welcome} market={market} />
        </div>
        <div class="aside">
          {outcomes}
          <OwnOrders market={market} own={own} at={at} />
          <Values market={market} own={own} at={at} />
        </div>
      </div>
    </>
  );
}

function ownSoFar(market: ViewMarket, at: number): readonly OwnAt[] {
  return market.orders.map((order) => ownAt(order, at)).filter((each) => each !== undefined);
}

const TRUTH: Readonly<Record<ViewWelcome['kind'], string>> = {
  backtest:
    'The ladder is the recorded book of the others: your orders are not in it, and what they took in the simulation is not taken from it.',
  paper:
    'The ladder is the recorded book of the others: the orders of a paper run are not in it, and what they took in the simulation is not taken from it.',
  live: 'The ladder is the book as the exchange showed it: what rested of your own orders is in it, and the columns beside it say how much that was.',
};

interface TruthParts {
  readonly welcome: ViewWelcome;
  readonly market: ViewMarket;
}

/** What a ladder is, and what it is not, in a line. */
function Truth({ welcome: { kind }, market: { refusal, ownPrices } }: TruthParts) {
  if (refusal !== undefined)
    return (
      <p class="truth">
        No run plays this market: it can be looked at alone ({refusal}). The ladder is the recorded book.
        {ownPrices !== undefined &&
          ' It has the prices that came in the recording, which are not those of the odds ladder'}
        {ownPrices !== undefined && (refusal.startsWith('LINE:') ? ': points, at which bets are at even odds.' : '.')}
      </p>
    );
  return (
    <p class="truth">
      {TRUTH[kind]} Own stake has columns of its own from its arrival to its end; own {sideWord('For')} bets that wait
      stand beside what others offer {offerWord('Against')}.
    </p>
  );
}

/** What the strategy said at an instant: its last note, and the values that it plotted. */
function Values({ market, own, at }: Readonly<{ market: ViewMarket; own: readonly OwnAt[]; at: number }>) {
  const noted = own.findLast(({ order }) => order.note !== undefined)?.order;
  if (noted === undefined && market.plots.length === 0) return null;
  const isMany = new Set(market.plots.map(({ strategy }) => strategy)).size > 1;
  return (
    <section class="card" id="values">
      <div class="head">
        <h3>What the strategy said</h3>
      </div>
      {noted !== undefined && (
        <p class="said">
          “{noted.note}”{' '}
          <small class="soft">
            {orderName(noted)}
            {noted.decidedAt !== undefined && `, ${utcMs(noted.decidedAt).slice(11, 23)}`}
          </small>
        </p>
      )}
      <dl>
        {market.plots.map((plot) => (
          <div key={`${plot.strategy} ${plot.name}`}>
            <dt>{isMany ? `${plot.strategy}: ${plot.name}` : plot.name}</dt>
            <dd>{valueText(valueAt(plot, at))}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function valueAt({ at: times, value }: ViewPlot, at: number): number | null | undefined {
  return value[countUpTo(times, at) - 1];
}

function valueText(value: number | null | undefined): string {
  if (value === undefined) return 'nothing yet';
  return value === null ? 'a gap' : amount(value, Number.isInteger(value) ? 0 : 4);
}

const EVENTS_SHOWN = 2;

/** The head of a played market: which instant it is, how far from the off, and what the exchange lets happen. */
function Head({ market, player }: { readonly market: ViewMarket; readonly player: Player }) {
  const { at, isWaiting } = player;
  const [date = '', time = ''] = utcMs(at).split(' ');
  const off = offText(market, at);
  const events = player.own.includes(at) ? eventsAt(market.orders, at) : [];
  const more = events.length - EVENTS_SHOWN;
  return (
    <div class="moment">
      <div class="line-of">
        <h2>{marketLabel({ eventName: market.event, name: market.name })}</h2>
        <p class="instant">
          <time dateTime={new Date(at).toISOString()}>
            <span class="soft">{date}</span> <b>{time}</b>
          </time>{' '}
          <span class="soft">UTC</span>
          {off !== undefined && <span class="off-time">{off}</span>}
        </p>
      </div>
      <div class="line-of">
        <ul class="words" aria-label="State">
          {stateWords(stateAt(market.states, at)).map(({ text, tone, about }) => (
            <li key={text} class={`chip word-${tone}`} title={about}>
              {text}
            </li>
          ))}
          {isWaiting && (
            <li
              class="chip word-warn waiting"
              title="What is shown is true at the instant above; what comes next is being read"
            >
              waiting for data
            </li>
          )}
          {events.slice(0, EVENTS_SHOWN).map((text) => (
            <li key={text} class="chip own-event">
              {text}
            </li>
          ))}
          {more > 0 && <li class="chip own-event">{more} more</li>}
        </ul>
        <p class="keys">
          {KEYS_HELP.map(([keys, does]) => (
            <span key={keys}>
              <kbd>{keys}</kbd> {does}
            </span>
          ))}
        </p>
      </div>
    </div>
  );
}
