/** A sandbox at a glance, as plain data for its page. Amounts are decimals, times ms UTC. */

import type { Figure, Tone } from './figure.ts';
import type { MarketRow } from './market-row.ts';

export interface ExchangePanel {
  readonly page: 'exchange';
  /** What a client of the exchange is: an app, or an account. */
  readonly appNoun: string;
  readonly figures: readonly Figure[];
  readonly accounts: readonly AccountRow[];
  readonly faults: readonly FaultRow[];
  readonly clients: readonly ClientRow[];
  /** Those in which most was traded, the first of them first. */
  readonly markets: readonly MarketRow[];
  readonly facts: readonly Figure[];
}

/** A user’s account. `cash − atRisk = free`, in whole cents. */
export interface AccountRow {
  /** Empty where an account has one alone. */
  readonly wallet: string;
  readonly app: string;
  readonly currency: string;
  readonly cash: number;
  readonly atRisk: number;
  readonly free: number;
  /** Cash beyond what was paid in and not taken out: what results brought. */
  readonly profit: number;
  readonly liveOrders: number;
}

/** A fault that may still strike. */
export interface FaultRow {
  readonly id: string;
  readonly what: string;
  readonly of: string;
  readonly until: number | undefined;
}

/** An app of a user, and how it is connected now. */
export interface ClientRow {
  readonly app: string;
  readonly sessions: number;
  /** Since when each of its connections to the stream is open. */
  readonly streams: readonly number[];
  readonly heartbeat: { readonly text: string; readonly at: number | undefined; readonly tone: Tone };
}
