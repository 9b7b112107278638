/** Whether every freshness budget that was missed was reported: by what was sampled, and by what was broken on purpose. */

import type { TailedRow } from '../kill/journal-tail.ts';
import type { Sample } from './sampler.ts';
import { SOAK_FEEDS, type SoakFeed } from './soak-config.ts';
import type { Outage } from './trouble-maker.ts';

interface Turn {
  readonly at: number;
  readonly isLate: boolean;
}

export interface FreshnessFindings {
  /** Times that the journal reports, by feed. */
  readonly reported: Readonly<Record<string, number>>;
  /** Of single markets' prices. */
  readonly reportedOfMarkets: number;
  readonly sampledLate: number;
  readonly outages: number;
  readonly unreported: readonly string[];
}

/** The daemon looks four times a second; a sample may fall between two looks, and a busy machine is late itself. */
const SLACK_MS = 1_500;

export class FreshnessWatch {
  readonly #turns = new Map<SoakFeed, Turn[]>(SOAK_FEEDS.map((feed) => [feed, []]));
  #ofMarkets = 0;

  take({ at, record }: TailedRow): void {
    if (record.kind !== 'freshness') return;
    const feed = SOAK_FEEDS.find((name) => name === record.feed);
    if (record.market !== undefined) this.#ofMarkets += record.isLate ? 1 : 0;
    else if (feed !== undefined) this.#turns.get(feed)?.push({ at, isLate: record.isLate });
  }

  findings(samples: readonly Sample[], outages: readonly Outage[]): FreshnessFindings {
    const unreported: string[] = [];
    let sampledLate = 0;
    for (const { at, feeds } of samples) {
      for (const { feed, ageMs, budgetMs, isLate } of feeds) {
        if (ageMs <= budgetMs + SLACK_MS) continue;
        sampledLate += 1;
        if (!isLate) unreported.push(`${feed} was ${ageMs} ms old at ${at}, and status did not call it late`);
        if (!this.#wasLate(feed, at - SLACK_MS, at)) unreported.push(`${feed} was ${ageMs} ms old at ${at}: no record`);
      }
    }
    for (const { feed, from, to } of outages)
      if (!this.#wasLate(feed, from, to + SLACK_MS))
        unreported.push(`${feed} could not be read from ${from} to ${to}: no record says so`);
    const reported = [...this.#turns].map(([feed, turns]) => [feed, turns.filter(({ isLate }) => isLate).length]);
    return {
      reported: Object.fromEntries(reported),
      ...{ reportedOfMarkets: this.#ofMarkets, sampledLate, outages: outages.length, unreported },
    };
  }

  /** At some moment between the two. */
  #wasLate(feed: SoakFeed, from: number, to: number): boolean {
    let isLate = false;
    for (const turn of this.#turns.get(feed) ?? []) {
      if (turn.at > to) break;
      if (turn.at >= from && turn.isLate) return true;
      isLate = turn.isLate;
    }
    return isLate;
  }
}
