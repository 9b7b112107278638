/** Plays recorded markets with the orders that a run had in them, at the instants that it had, under several fill rules at once. */

import type { UpdateSource } from '../../../backtest/simulation/backtest-source.ts';
import { recordedRules, worldConfig } from '../../../backtest/simulation/exchange-config.ts';
import { Random } from '../../../core/number/random.ts';
import type { Instant, Money } from '../../../core/number/units.ts';
import type { OrderRequest, PlaceReply } from '../../../exchange/gateway.ts';
import type { LatencyModel } from '../../../simulator/gateway/latency.ts';
import { Playback } from '../../../simulator/gateway/playback.ts';
import { SimulatedGateway } from '../../../simulator/gateway/simulated-gateway.ts';
import { type CancellationRule, fillRulesOf, type OwnOrdersRule } from '../../../simulator/overlay/fill-rules.ts';
import type { RecordedMarket } from '../../../simulator/replay/played-market.ts';
import { RecordedMarkets } from '../../../simulator/replay/recorded-markets.ts';
import { ReplayExchange } from '../../../simulator/replay/replay-exchange.ts';
import { SimulatedClock } from '../../../time/simulated-clock.ts';
import type { RunFile } from '../../run/run-file.ts';

/** Something that the run did with an order, when it reached the exchange. */
export interface OrderAct {
  readonly at: Instant;
  /** It was caused by an update of the same instant, and so comes after it; otherwise it comes before the update. */
  readonly isAfterUpdates: boolean;
  readonly what: PlaceAct | { readonly kind: 'cancel'; readonly client: number };
}

/** Market and outcome are indexes of the source. */
interface PlaceAct extends Omit<OrderRequest, 'strategy' | 'wallet'> {
  readonly kind: 'place';
}

export interface ModelFill {
  readonly at: number;
  readonly stake: Money;
}

export interface ReplayedOrders {
  /** The fills of each order, by our number of it; one map for each rule, in the order of the rules. */
  readonly fills: readonly ReadonlyMap<number, readonly ModelFill[]>[];
  /** Orders that the exchange of the replay did not accept. */
  readonly refused: ReadonlySet<number>;
  readonly updates: number;
}

interface ReplayOrdersParts {
  readonly run: Pick<RunFile, 'inPlayDelay' | 'commission' | 'fillRules'>;
  readonly source: UpdateSource;
  /** The acts in the order of time. */
  readonly acts: readonly OrderAct[];
  readonly rules: readonly CancellationRule[];
  /** Whether its orders meet each other. */
  readonly ownOrders: OwnOrdersRule;
  readonly signal: AbortSignal;
  readonly onProgress: (played: number, at: number) => void;
}

/** What the run sent has arrived at the instants of its acts: nothing is on its way any more. */
const AT_ONCE: LatencyModel = { request: { kind: 'fixed', ms: 0 }, response: { kind: 'fixed', ms: 0 } };
/** After this many updates the loop lets Ctrl-C and the progress line in. */
const SLICE = 4096;

/** Ends early, with what was played until then, when the signal says so. */
export async function replayOrders(parts: ReplayOrdersParts): Promise<ReplayedOrders> {
  const { source, run, rules, signal, onProgress } = parts;
  const worlds = rules.map((rule) => new FrozenWorld(parts, rule));
  // Wallets are unlimited, so that no order is refused for want of funds: the run's own exchange accepted these orders.
  const common = recordedRules({ ...run, wallets: ['unlimited'] });
  const markets = new RecordedMarkets(
    common,
    worlds.map(({ replay }) => replay),
  );
  const playback = new Playback(
    markets,
    worlds.map(({ gateway }) => gateway),
  );
  const recorded: (RecordedMarket | undefined)[] = [];
  let updates = 0;
  for (let update = source.next(); update !== undefined; update = source.next()) {
    const { index } = source;
    const market = recorded[index] ?? source.recorded(index);
    recorded[index] = market;
    for (const world of worlds) world.actsBefore(update.publishedAt);
    playback.play(index, market, update);
    updates += 1;
    if (updates % SLICE > 0) continue;
    onProgress(SLICE, update.publishedAt);
    if (signal.aborted) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  // Whether an order is accepted does not depend on how others are filled.
  return { fills: worlds.map(({ fills }) => fills), refused: worlds[0]?.refused ?? new Set(), updates };
}

/** The run's orders under one fill rule. */
class FrozenWorld {
  readonly gateway: SimulatedGateway;
  readonly replay: ReplayExchange;
  readonly fills = new Map<number, ModelFill[]>();
  readonly refused = new Set<number>();
  readonly #clock: SimulatedClock;
  readonly #acts: readonly OrderAct[];
  #next = 0;
  /** The exchange's ids, by client. */
  readonly #orders = new Map<number, number>();

  constructor({ run, source, acts, ownOrders }: ReplayOrdersParts, rule: CancellationRule) {
    this.#acts = acts;
    this.#clock = new SimulatedClock(source.startAt);
    const { rules, wallets } = worldConfig({ ...run, wallets: ['unlimited'] }, 'central');
    this.replay = new ReplayExchange({
      at: source.startAt,
      fillRules: {
        ...fillRulesOf('central', rule),
        ...{ hiddenVolume: run.fillRules.hiddenVolume, ownOrders },
        // What orders of a live run kept from others rests on in what it recorded.
        ...(ownOrders === 'pass' ? ({ displaced: 'gone' } as const) : {}),
      },
      listener: { filled: (fill) => this.#filled(fill) },
      rules,
      wallets,
    });
    this.gateway = new SimulatedGateway({
      clock: this.#clock,
      latency: AT_ONCE,
      random: Random.fromSeed(0),
      wallets: 1,
      replay: this.replay,
      onOrderEnd: () => undefined,
      onMarketEnd: () => undefined,
    });
  }

  /** Puts on the clock what had happened by the time of an update that is about to be played. */
  actsBefore(updateAt: number): void {
    for (let act = this.#acts[this.#next]; act !== undefined; act = this.#acts[this.#next]) {
      if (act.at > updateAt || (act.at === updateAt && act.isAfterUpdates)) return;
      const { what } = act;
      this.#next += 1;
      this.#clock.at(act.at, () => this.#act(what));
    }
  }

  #act(what: OrderAct['what']): void {
    if (what.kind === 'place') {
      const { kind: _kind, ...terms } = what;
      const request: OrderRequest = { ...terms, strategy: 0, wallet: 0 };
      return void this.gateway.place([request]).subscribe((reply) => this.#answered(what.client, reply));
    }
    const order = this.#orders.get(what.client);
    if (order !== undefined) this.gateway.cancel([order]).subscribe();
  }

  #answered(client: number, reply: PlaceReply): void {
    const item = reply.kind === 'placed' ? reply.items[0] : undefined;
    if (item?.kind === 'accepted') this.#orders.set(client, item.report.order);
    else this.refused.add(client);
  }

  #filled({ clientOrderId, at, stake }: ModelFill & { readonly clientOrderId: number }): void {
    const fills = this.fills.get(clientOrderId);
    if (fills === undefined) this.fills.set(clientOrderId, [{ at, stake }]);
    else fills.push({ at, stake });
  }
}
