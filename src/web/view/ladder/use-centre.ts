/** Keeps a ladder where it trades, without moving it at every change. */

import { useLayoutEffect, useRef, useState } from 'preact/hooks';

interface Centre {
  readonly scroll: { current: HTMLDivElement | null };
  /** The reader looks elsewhere: it is not moved under his eyes. */
  readonly isHeld: boolean;
  readonly centre: () => void;
  readonly onScroll: () => void;
}

/** It stands still until where it trades has left the middle, and then that price is the new middle. */
export function useCentre(prices: readonly number[], middle: number | undefined): Centre {
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
