/** What the status of each market of the exchange was, for as long as anybody may still trade on it. */

import type { InPlayStatus, MarketStatus } from '../../../src/core/market.ts';
import { summarizeChange } from '../../../src/sandbox/stream/change-summary.ts';
import type { SimulatedExchange } from './simulated-exchange.ts';

/** Longer than any freshness. */
const KEPT_MS = 90_000;

interface ShownStatus {
  readonly status: MarketStatus;
  readonly inPlayStatus: InPlayStatus;
  readonly published: boolean;
  readonly suspended: boolean;
}

interface Past {
  readonly from: number;
  readonly text: string;
}

export class StatusHistory {
  readonly #exchange: SimulatedExchange;
  readonly #past = new Map<string, Past[]>();

  constructor(exchange: SimulatedExchange) {
    this.#exchange = exchange;
    const { world } = exchange;
    world.listen((change, events) => {
      for (const step of summarizeChange(world, change, events).statuses) this.#note(step.market, step);
    });
  }

  /** A status that the market did not have within the last `ms`, in words; what it was before the first change is not known. */
  unknownStatus(market: string, shown: ShownStatus, ms: number): string | undefined {
    const past = this.#past.get(market) ?? [];
    const since = this.#exchange.context.now() - ms;
    const text = textOf(shown);
    if ((past[0]?.from ?? Number.POSITIVE_INFINITY) > since) return undefined;
    const wasSo = past.some((each, index) => each.text === text && (past[index + 1]?.from ?? since) >= since);
    return wasSo ? undefined : `it shows ${text}; it was ${JSON.stringify(past)}`;
  }

  #note(market: number, step: ShownStatus): void {
    const id = this.#exchange.world.catalogue.markets.get(market)?.id;
    if (id === undefined) return;
    const now = this.#exchange.context.now();
    const past = this.#past.get(id) ?? [];
    this.#past.set(id, past);
    past.push({ from: now, text: textOf(step) });
    while ((past[1]?.from ?? now) < now - KEPT_MS) past.shift();
  }
}

function textOf({ status, inPlayStatus, published, suspended }: ShownStatus): string {
  return `${status} ${inPlayStatus}${published ? '' : ' hidden'}${suspended ? ' suspended' : ''}`;
}
