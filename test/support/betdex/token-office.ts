/** Issues sessions as the exchange does, on a clock of its own that may differ from the client's. */

import type { WireReply } from '../../../src/exchange-live/connection/transport.ts';
import { problem, replied, type Sent } from './scripted-transport.ts';

export interface OfficeSettings {
  readonly accessMs: number;
  readonly refreshMs: number;
  /** The exchange's clock. */
  readonly now: () => number;
  readonly sendsDate?: boolean;
}

const KEY = 'the-right-key';

export class TokenOffice {
  readonly #settings: OfficeSettings;
  readonly #accessEnds = new Map<string, number>();
  readonly #refreshEnds = new Map<string, number>();
  #count = 0;
  logins = 0;
  refreshes = 0;

  constructor(settings: OfficeSettings) {
    this.#settings = settings;
  }

  /** The answer to a session request; undefined for any other request. */
  answer({ path, body = '{}' }: Pick<Sent, 'path' | 'body'>): WireReply | undefined {
    if (path === '/sessions') {
      this.logins += 1;
      return JSON.parse(body).apiKey === KEY ? this.#session() : problem(401);
    }
    if (path !== '/sessions/refresh') return undefined;
    this.refreshes += 1;
    const ends = this.#refreshEnds.get(JSON.parse(body).refreshToken);
    this.#refreshEnds.delete(JSON.parse(body).refreshToken);
    return ends !== undefined && this.#settings.now() < ends ? this.#session() : problem(401);
  }

  takes(token: string | undefined): boolean {
    return token !== undefined && this.#settings.now() < (this.#accessEnds.get(token) ?? 0);
  }

  /** Forgets sessions, as if the exchange had been restarted without its memory. */
  forget(what: { readonly refreshTokens: boolean }): void {
    this.#accessEnds.clear();
    if (what.refreshTokens) this.#refreshEnds.clear();
  }

  #session(): WireReply {
    const { accessMs, refreshMs, now, sendsDate = true } = this.#settings;
    this.#count += 1;
    const accessToken = `access-${this.#count}`;
    const refreshToken = `refresh-${this.#count}`;
    this.#accessEnds.set(accessToken, now() + accessMs);
    this.#refreshEnds.set(refreshToken, now() + refreshMs);
    const session = {
      accessToken,
      refreshToken,
      accessExpiresAt: new Date(now() + accessMs).toISOString(),
      refreshExpiresAt: new Date(now() + refreshMs).toISOString(),
    };
    const body = { _meta: { _primary_document: 'sessions', _count: 1 }, sessions: [session] };
    const date = new Date(Math.floor(now() / 1000) * 1000).toUTCString();
    return replied(200, body, sendsDate ? { date } : {});
  }
}

export const RIGHT_KEY = KEY;
