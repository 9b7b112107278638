/** What the server sends for the page that is shown, and since when it has sent nothing. */

import { useEffect, useState } from 'preact/hooks';
import type { Head, Panel, RecordLine, Welcome } from '../../pages/panels.ts';
import { findSession, type SessionState } from '../parts/session.ts';
import { Line } from './line.ts';

export interface Fed {
  readonly head: Head | undefined;
  readonly panel: Panel | undefined;
  readonly lines: readonly RecordLine[];
  /** When the last event came, on the page’s own clock; every event says that what is shown still holds. */
  readonly heardAt: number;
  /** The line is down, which is known at once. */
  readonly isCut: boolean;
  /** The server wants a new link. */
  readonly isClosed: boolean;
  /** What else the server says why it sends nothing. */
  readonly why: string | undefined;
}

const LINES_MAX = 500;
/** Ages are counted on in steps of this length, whether anything comes or not. */
const TICK_MS = 250;
/** Without an event for so long, what is shown is old. */
export const STALE_MS = 2_000;

const UP = { isCut: false, isClosed: false, why: undefined } as const;
const NOTHING: Fed = { head: undefined, panel: undefined, lines: [], heardAt: 0, ...UP };

/** `onFound` is told who serves it each time that the line was down: a process that was started again may be another one. */
export function useFeed(address: string, onFound: (session: SessionState<Welcome>) => void): Fed {
  const [fed, setFed] = useState<Fed>({ ...NOTHING, heardAt: performance.now() });
  useEffect(() => {
    const change = (change: Partial<Fed>): void => setFed((before) => ({ ...before, ...change }));
    const heard = (change: Partial<Fed>): void =>
      setFed((before) => ({ ...before, heardAt: performance.now(), ...UP, ...change }));
    change({ panel: undefined, lines: [] });
    const line = new Line(address, {
      onOpen: (wasDown) => {
        // What is sent now begins anew: nothing of what came before the line was down is left beside it.
        change({ lines: [] });
        if (wasDown) void findSession<Welcome>().then(onFound);
      },
      onEvent: (name, data) => {
        const sent = JSON.parse(data);
        if (name === 'lines') setFed((before) => ({ ...before, lines: [...before.lines, ...sent].slice(-LINES_MAX) }));
        else heard({ [name]: sent });
      },
      onDown: () => change({ isCut: true }),
      onRefusal: ({ kind, why }) => change({ isClosed: kind === 'closed', why: kind === 'refused' ? why : undefined }),
      onSeen: () => heard({ lines: [] }),
    });
    return () => line.close();
  }, [address]);
  return fed;
}

/** The page’s own clock, read again and again. */
export function useNow(): number {
  const [now, setNow] = useState(performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
