/** The line over which a page is fed: opened anew when it broke, when it was refused, and when it brings nothing. */

import { type NoSession, refusalAt } from '../parts/session.ts';

const EVENTS = ['head', 'panel', 'lines'] as const;

export interface LineHooks {
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

/** While nobody sees the page nothing is asked for, and the server makes nothing. */
export class Line {
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
