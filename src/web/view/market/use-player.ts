/** The player of a market in the page: drawn at every frame while it plays, and written into the address. */

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ViewMarket } from '../../../pages/view-data.ts';
import { type Address, addressText, readAddress } from '../play/address.ts';
import { PartCache } from '../play/part-cache.ts';
import { Player } from '../play/player.ts';
import { askPart } from '../play/requests.ts';

export interface Playing {
  readonly player: Player;
  readonly cache: PartCache;
  /** Does something with the player, and draws what came of it. */
  readonly act: (change: (player: Player) => void) => void;
}

export function usePlayer(market: ViewMarket, address: Address): Playing {
  const [, setFrame] = useState(0);
  const made = useMemo((): Playing => {
    const cache: PartCache = new PartCache({
      market: market.id,
      ask: askPart,
      onChange: () => act((each) => each.settle()),
    });
    const player = new Player(market, cache, address.at ?? firstInstant(market));
    if (address.speed !== undefined) player.setSpeed(address.speed);
    const act: Playing['act'] = (change) => {
      change(player);
      setFrame((frame) => frame + 1);
    };
    return { player, cache, act };
  }, [market]);
  const { player, cache, act } = made;
  useEffect(() => {
    act((each) => each.settle());
    return () => cache.close();
  }, [made]);
  useEffect(() => {
    if (address.at !== undefined && address.at !== player.goal) act((each) => each.seek(address.at ?? each.at));
  }, [address]);
  const isPlaying = player.direction !== 0;
  useEffect(() => {
    if (!isPlaying) return undefined;
    let before = performance.now();
    let frame = requestAnimationFrame(function next(now) {
      const passed = Math.max(0, now - before);
      before = now;
      act((each) => each.tick(passed));
      frame = requestAnimationFrame(next);
    });
    return () => cancelAnimationFrame(frame);
  }, [made, isPlaying]);
  return made;
}

/** The instant at which the reader begins: the first thing that was done in the market, else shortly before the off. */
function firstInstant(market: ViewMarket): number {
  const decided = market.orders.map(({ decidedAt, arrivedAt }) => decidedAt ?? arrivedAt ?? Number.POSITIVE_INFINITY);
  const first = decided.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  if (Number.isFinite(first)) return first;
  return market.startsAt === undefined ? market.firstAt : market.startsAt - 60_000;
}

const STANDING_MS = 150;
/** A browser lets an address be changed so often, and no more. */
const PLAYING_MS = 1_000;

/**
 * The address always says what is shown, without a place in the history for each frame. One that was just put there from outside is
 * left alone until the page has read it.
 */
export function useWrittenAddress(player: Player, outcomes: readonly string[]): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(outcomes);
  latest.current = outcomes;
  const known = useRef(location.hash);
  useEffect(() => {
    const read = (): void => {
      known.current = location.hash;
    };
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  useEffect(() => {
    timer.current ??= setTimeout(
      () => {
        timer.current = undefined;
        if (location.hash !== known.current) return;
        const { market, at, goal, speed } = player;
        if (readAddress(location.hash).market !== market.id) return;
        const text = addressText({ market: market.id, at: goal ?? at, outcomes: latest.current, speed });
        if (text === location.hash) return;
        history.replaceState(undefined, '', text);
        known.current = location.hash;
      },
      player.direction === 0 ? STANDING_MS : PLAYING_MS,
    );
  });
  useEffect(() => () => clearTimeout(timer.current), []);
}
