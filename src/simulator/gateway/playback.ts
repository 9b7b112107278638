/** Plays recorded updates to all worlds: each runs its clock to an update, which is then applied once, and then each reports it. */

import { assert, defined } from '../../core/checks/assert.ts';
import type { PendingUpdate } from '../../recording/segment/update.ts';
import type { RecordedMarket } from '../replay/played-market.ts';
import type { RecordedMarkets } from '../replay/recorded-markets.ts';
import type { SimulatedGateway } from './simulated-gateway.ts';

export class Playback {
  readonly #markets: RecordedMarkets;
  /** The gateways in the order of the worlds of the markets. */
  readonly #worlds: readonly SimulatedGateway[];
  readonly #first: SimulatedGateway;
  /** How many updates of prices were not reported, because the window of their market had not opened. */
  hidden = 0;

  constructor(markets: RecordedMarkets, worlds: readonly SimulatedGateway[]) {
    this.#markets = markets;
    this.#worlds = worlds;
    this.#first = defined(worlds[0], 'a replay has at least one world');
  }

  /** Notes that the next update of a market, which is not reported yet, stands for so many others beside itself. */
  leaveOut(index: number, updates: number): void {
    const market = defined(this.#markets.market(index), 'a picture does not stand for the first update of a market');
    assert(this.#first.hides(index), 'nobody sees the updates that are left out');
    market.leaveOut(updates);
    this.hidden += updates;
  }

  /** Applies the next recorded update at its time, after all that was due by then. */
  play(index: number, recorded: RecordedMarket, update: PendingUpdate): void {
    if (!this.playPrices(index, recorded, update)) this.#playOther(index, recorded, update);
  }

  /**
   * Plays an update that only changes prices of a market that goes on, as nearly all do. Returns false for any other
   * update, and does nothing then. Such updates schedule nothing on the clocks: orders and heartbeats do, and their due
   * times are watched where they arrive.
   */
  playPrices(index: number, recorded: RecordedMarket, update: PendingUpdate): boolean {
    const market = this.#markets.market(index);
    if (market === undefined || update.isDefinition || market.updatesSeen + 1 === recorded.updates) return false;
    const worlds = this.#worlds;
    for (let i = 0; i < worlds.length; i += 1) worlds[i]?.runUntil(update.publishedAt);
    const mayHaveFilled = this.#markets.applyPrices(market, update);
    if (this.#first.hides(index)) this.hidden += 1;
    for (let i = 0; i < worlds.length; i += 1) worlds[i]?.reportPrices(index, mayHaveFilled);
    return true;
  }

  /** Plays the first update of a market, one that changes its definition, or its last one. */
  #playOther(index: number, recorded: RecordedMarket, update: PendingUpdate): void {
    const at = update.publishedAt;
    for (const world of this.#worlds) world.runUntil(at);
    const known = this.#markets.market(index);
    const market = known ?? this.#markets.open(index, recorded, at);
    if (known === undefined) for (const world of this.#worlds) world.beginWindow(index);
    const applied = this.#markets.apply(market, update);
    const isLast = market.updatesSeen === recorded.updates;
    // Fills of this update are reported before the market is seen to be cut off.
    for (const world of this.#worlds) world.reportApplied(index, applied);
    const cause = isLast && this.#markets.cutOff(market, at) ? 'status' : applied;
    for (const world of this.#worlds) world.reportOther(index, { at, cause, isNew: known === undefined });
    if (market.hasEnded && isLast) {
      for (const world of this.#worlds) world.endMarket(index, at);
      this.#markets.forget(market);
    }
    if (cause === 'status') for (const world of this.#worlds) world.watchDue();
  }
}
