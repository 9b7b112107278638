/** What the server sends for the page that is shown, and since when it has sent nothing. */

import { useEffect, useState } from 'preact/hooks';
import type { Head, Panel, RecordLine, Welcome } from '../../report/dashboard/panels.ts';
import { findSession, refusalAt, type SessionState } from '../parts/session.ts';

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
const RETRY_MS = 1_000;
/** So many times a second ages are counted on, whether anything comes or not. */
const TICK_MS = 250;
/** Without an event for so long, what is shown is old. */
export const STALE_MS = 2_000;
/** A line that brings nothing for so long is given up, and opened anew: one that broke silently is never told to be down. */
const SILENT_MS = 5_000;

const NOTHING: Fed = {
  ...{ head: undefined, panel: undefined, lines: [], heardAt: 0 },
  ...{ isCut: false, isClosed: false, why: undefined },
};

/**
 * While nobody sees the page nothing is asked for, and the server makes nothing. `onFound` is told who serves it each time that the
 * line was down: a process that was started again may be another one.
 */
export function useFeed(address: string, onFound: (session: SessionState<Welcome>) => void): Fed {
  const [fed, setFed] = useState<Fed>({ ...NOTHING, heardAt: performance.now() });
  useEffect(() => {
    let source: EventSource | undefined;
    let retry: ReturnType<typeof setTimeout> | undefined;
    let wasCut = false;
    /** When it was opened, or brought something last. */
    let heardAt = 0;
    const change = (change: Partial<Fed>): void => {
      heardAt = performance.now();
      setFed((before) => ({ ...before, heardAt, isCut: false, isClosed: false, why: undefined, ...change }));
    };
    const close = (): void => {
      clearTimeout(retry);
      source?.close();
      source = undefined;
    };
    const open = (): void => {
      close();
      const opened = new EventSource(address);
      source = opened;
      heardAt = performance.now();
      opened.onopen = () => {
        // What is sent now begins anew: nothing of what came before the line was down is left beside it.
        setFed((before) => ({ ...before, lines: [] }));
        if (wasCut) void findSession<Welcome>().then(onFound);
        wasCut = false;
      };
      opened.addEventListener('head', ({ data }) => change({ head: JSON.parse(data) }));
      opened.addEventListener('panel', ({ data }) => change({ panel: JSON.parse(data) }));
      opened.addEventListener('lines', ({ data }) => {
        const lines: readonly RecordLine[] = JSON.parse(data);
        setFed((before) => ({ ...before, lines: [...before.lines, ...lines].slice(-LINES_MAX) }));
      });
      // The browser tries again by itself, unless the server refused.
      opened.onerror = () => {
        wasCut = true;
        if (source === opened) setFed((before) => ({ ...before, isCut: true }));
        if (opened.readyState !== EventSource.CLOSED || source !== opened) return;
        void refusalAt(address).then((refusal) => {
          if (source !== opened) return;
          if (refusal?.kind === 'closed') return setFed((before) => ({ ...before, isClosed: true }));
          const why = refusal?.kind === 'refused' ? refusal.why : undefined;
          setFed((before) => ({ ...before, why }));
          retry = setTimeout(open, RETRY_MS);
        });
      };
    };
    const follow = (): void => {
      if (document.visibilityState === 'hidden') {
        wasCut = true;
        return close();
      }
      change({ lines: [] });
      open();
    };
    setFed((before) => ({ ...before, panel: undefined, lines: [] }));
    open();
    const watch = setInterval(() => {
      if (source === undefined || performance.now() - heardAt < SILENT_MS) return;
      wasCut = true;
      open();
    }, RETRY_MS);
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      clearInterval(watch);
      close();
    };
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
