/** What the server sends for the page that is shown, and since when it has sent nothing. */

import { useEffect, useState } from 'preact/hooks';
import type { Head, Panel, RecordLine, Welcome } from '../../pages/panels.ts';
import { findSession, type NoSession, refusalAt, type SessionState } from '../parts/session.ts';

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
const NOT_FED_YET: Fed = { head: undefined, panel: undefined, lines: [], heardAt: 0, ...UP };

/** `onFound` is told who serves it each time that the line was down: a process that was started again may be another one. */
export function useFeed(address: string, onFound: (session: SessionState<Welcome>) => void): Fed {
  const [fed, setFed] = useState<Fed>({ ...NOT_FED_YET, heardAt: performance.now() });
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

const EVENTS = ['head', 'panel', 'lines'] as const;

interface LineHooks {
  /** `wasDown`: what is sent now may come from another process than before. */
  onOpen(wasDown: boolean): void;
  onEvent(name: (typeof EVENTS)[number], data: string): void;
  /** Called at once where the browser notices that the line is down. */
  onDown(): void;
  /** Why the server sends nothing. It is asked again, unless it wants a new link. */
  onRefusal(refusal: NoSession): void;
  /** The page is seen again, after nobody saw it and nothing was asked for. */
  onSeen(): void;
}

const RETRY_MS = 1_000;
/** A line that brings nothing for so long is given up: no browser notices one that broke silently. */
const SILENT_MS = 5_000;

/**
 * The line over which a page is fed: opened anew when it broke, when it was refused, and when it brings nothing. While nobody sees the page
 * nothing is asked for, and the server makes nothing.
 */
class Line {
  readonly #address: string;
  readonly #hooks: LineHooks;
  readonly #watch: ReturnType<typeof setInterval>;
  #source: EventSource | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #wasDown = false;
  /** When it was opened, or brought something last. */
  #heardAt = 0;

  constructor(address: string, hooks: LineHooks) {
    this.#address = address;
    this.#hooks = hooks;
    this.#open();
    this.#watch = setInterval(() => this.#look(), RETRY_MS);
    document.addEventListener('visibilitychange', this.#follow);
  }

  close(): void {
    document.removeEventListener('visibilitychange', this.#follow);
    clearInterval(this.#watch);
    this.#hangUp();
  }

  #open(): void {
    this.#hangUp();
    const opened = new EventSource(this.#address);
    this.#source = opened;
    this.#heardAt = performance.now();
    opened.onopen = () => {
      this.#hooks.onOpen(this.#wasDown);
      this.#wasDown = false;
    };
    for (const name of EVENTS)
      opened.addEventListener(name, ({ data }) => {
        this.#heardAt = performance.now();
        this.#hooks.onEvent(name, data);
      });
    opened.onerror = () => this.#broke(opened);
  }

  /** The browser tries again by itself, unless the server refused. */
  #broke(opened: EventSource): void {
    if (this.#source !== opened) return;
    this.#wasDown = true;
    this.#hooks.onDown();
    if (opened.readyState !== EventSource.CLOSED) return;
    void refusalAt(this.#address).then((refusal) => {
      if (this.#source !== opened) return;
      if (refusal !== undefined) this.#hooks.onRefusal(refusal);
      if (refusal?.kind !== 'closed') this.#retry = setTimeout(() => this.#open(), RETRY_MS);
    });
  }

  /** One that waits for a new link is opened too: it may have been used in another tab. */
  #look(): void {
    if (this.#source === undefined || performance.now() - this.#heardAt < SILENT_MS) return;
    this.#wasDown = true;
    this.#open();
  }

  readonly #follow = (): void => {
    if (document.visibilityState === 'hidden') {
      this.#wasDown = true;
      return this.#hangUp();
    }
    this.#hooks.onSeen();
    this.#open();
  };

  #hangUp(): void {
    clearTimeout(this.#retry);
    this.#source?.close();
    this.#source = undefined;
  }
}
