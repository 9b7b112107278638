/** A market while it is played: its head, time line, ladders and own orders at one instant. */

import { useEffect, useMemo } from 'preact/hooks';
import type { ViewMarket, ViewWelcome } from '../../../pages/view-data.ts';
import type { NoSession } from '../../parts/session.ts';
import { Ladders } from '../ladder/ladders.tsx';
import { Truth } from '../ladder/truth.tsx';
import type { Address } from '../play/address.ts';
import { countUpTo } from '../play/book.ts';
import { stateAt } from '../play/moment.ts';
import { type OwnAt, ownAt, positionAt } from '../play/own.ts';
import { useChosen } from '../play/use-chosen.ts';
import { TimeLine } from '../time-line/time-line.tsx';
import { Controls } from './controls.tsx';
import { Head } from './head.tsx';
import { Outcomes } from './outcomes.tsx';
import { OwnOrders } from './own-orders.tsx';
import { TroubleBar } from './trouble.tsx';
import { useKeys } from './use-keys.ts';
import { usePlayer, useWrittenAddress } from './use-player.ts';
import { Values } from './values.tsx';

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
