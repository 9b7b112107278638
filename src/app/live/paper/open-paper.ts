/**
 * Wires a paper run: live market data in, orders to the built-in exchange, all received data onto the run's own tapes.
 *
 *     const recorder = new RunRecorder({ directory, address, prices, commissionPpm, times: 'received', clock, onFault });
 *     const paper = openPaper({ clock, updates$, recorder, ...settings });
 *     // Give `paper.gateway`, `paper.clock` and `paper.fromOutside` to the bot; it reads while `gateway.feed$` is subscribed to.
 *     // At the end: unsubscribe from the feed, then paper.stop(), then recorder.finish().
 *
 * `updates$` is what `marketFeed` or the rest gateway reports of markets, with `read` for each complete reading; it is subscribed
 * to once, while the feed is. A fault of ours, or of the tape (TapeFailure), is an error of `feed$`. All timers of the bot
 * belong on `paper.clock`: it stands at logical instants, and a replay of the tapes by the same seed meets the same ones.
 */

import type { Observable } from 'rxjs';
import { type ExchangeRules, recordedRules, worldConfig } from '../../../backtest/simulation/exchange-config.ts';
import type { Money } from '../../../core/number/units.ts';
import type { LiveGateway } from '../../../exchange/live-gateway.ts';
import type { Bound } from '../../../result/figures/bounds.ts';
import type { FillListener } from '../../../simulator/fill-model/fill-listener.ts';
import type { LatencyModel } from '../../../simulator/gateway/latency.ts';
import { type MarketFeedMessage, PaperExchange } from '../../../simulator/paper-exchange.ts';
import type { Clock } from '../../../time/clock.ts';
import type { RunRecorder } from '../record/run-recorder.ts';

export interface PaperSettings extends ExchangeRules {
  /** Balance of each wallet at the start, in the order of the configuration. */
  readonly wallets: readonly (Money | 'unlimited')[];
  /** Delay from receiving data to the arrival of an order made on it; random, by the seed. */
  readonly latency: LatencyModel;
  /** The fill model of the built-in exchange: what it assumes where market data leave fills open. */
  readonly fills: Bound;
  readonly seed: number;
}

export interface PaperWiring extends PaperSettings {
  /** Real time. */
  readonly clock: Clock;
  readonly updates$: Observable<MarketFeedMessage>;
  /** Its option `times` must be `received`. */
  readonly recorder: RunRecorder;
  /** Called with markets that the bot wants to follow although the configured watch does not find them. */
  readonly follow?: (markets: readonly string[]) => void;
  /** Receives each fill as it happens. */
  readonly listener?: FillListener;
}

export interface Paper {
  readonly gateway: LiveGateway;
  readonly clock: Clock;
  /** The bot's `fromOutside`, without which a replay does what an operator did at other instants. */
  fromOutside(work: () => void): void;
  /** Stops all timers. */
  stop(): void;
}

export function openPaper(wiring: PaperWiring): Paper {
  const { clock, updates$, recorder, latency, fills, seed, follow, listener = { filled: () => undefined } } = wiring;
  const paper = new PaperExchange({
    wall: clock,
    updates$,
    latency,
    seed,
    record: (market, cause, at) => recorder.onMarket(market, cause, at),
    exchange: { ...recordedRules(wiring), ...worldConfig(wiring, fills), listener },
    ...(follow === undefined ? {} : { follow }),
  });
  const fromOutside = (work: () => void): void => paper.fromOutside(work);
  return { gateway: paper.gateway, clock: paper.clock, fromOutside, stop: () => paper.stop() };
}
