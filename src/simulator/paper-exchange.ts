/**
 * The exchange of a paper run: live market data for prices, the built-in exchange for orders.
 *
 * What comes in about markets becomes the updates that a tape keeps, and at once the updates that the exchange plays. A
 * replay of that tape plays the same updates at the same instants in the same order, so that the same strategies with
 * the same seed decide, send and are filled in the same way. Three rules ensure this. Time: a message of the instant T is
 * played at T, after everything that was due by T, each thing at its own instant. Order: messages of one millisecond
 * wait until that millisecond is over and are then played in the order in which a tape gives them, by tape and market.
 * Commands: what comes from outside is the first of all that happens in its millisecond, and its time stands still, however
 * long the disk takes to keep what it did.
 */

import { defer, map, merge, Observable, Subject, Subscription, share, timer } from 'rxjs';
import { Random } from '../core/number/random.ts';
import type { Instant, Money } from '../core/number/units.ts';
import { isLive } from '../core/order.ts';
import type { FeedMessage, FeedName, MarketCause } from '../exchange/gateway.ts';
import type { AccountSnapshot, BookedOrder, BookedPosition, LiveGateway } from '../exchange/live-gateway.ts';
import type { LiveBook } from '../recording/live/live-book.ts';
import type { MarketEncoder } from '../recording/live/market-encoder.ts';
import type { LiveMarketInput } from '../recording/live/recorder.ts';
import { UpdateBuffer } from '../recording/segment/update-buffer.ts';
import type { Clock } from '../time/clock.ts';
import { FollowingClock } from '../time/following-clock.ts';
import type { OrderTrack } from './fill-model/order-track.ts';
import type { LatencyModel } from './gateway/latency.ts';
import { Playback } from './gateway/playback.ts';
import { SimulatedGateway } from './gateway/simulated-gateway.ts';
import type { RecordedMarket } from './replay/played-market.ts';
import { RecordedMarkets, type RecordedRules } from './replay/recorded-markets.ts';
import { ReplayExchange, type WorldConfig } from './replay/replay-exchange.ts';
import type { ReplayMarket } from './replay/replay-market.ts';

/** Messages about live markets: a market changed, or a feed was read completely. Other messages are ignored. */
export type MarketFeedMessage =
  | { readonly kind: 'market'; readonly market: LiveBook; readonly cause: MarketCause }
  | { readonly kind: 'read'; readonly feed: FeedName; readonly at: Instant };

export interface PaperParts {
  /** Real time. */
  readonly wall: Clock;
  /** Live messages; subscribed to while the feed is. */
  readonly updates$: Observable<MarketFeedMessage>;
  /** Records a message and returns what was recorded: `Recorder.record` of the run's own tapes. */
  readonly record: (market: LiveBook, cause: MarketCause, at: Instant) => LiveMarketInput | undefined;
  readonly exchange: RecordedRules & Omit<WorldConfig, 'at'>;
  readonly latency: LatencyModel;
  readonly seed: number;
  readonly follow?: (markets: readonly string[]) => void;
}

/**
 * Orders and wallets of a built-in exchange are always up to date; so subscribers that wait for a reading of them get
 * one this often.
 */
const READ_EVERY_MS = 500;
const OWN_FEEDS: readonly FeedName[] = ['orders', 'wallets'];

/** An update that waits for its millisecond to end. */
interface Waiting {
  readonly input: Omit<LiveMarketInput, 'update'>;
  readonly update: UpdateBuffer;
  readonly market: GrowingMarket;
  readonly fresh: Pick<LiveBook, 'freshAt' | 'statusFreshAt'>;
}

interface GrowingMarket extends RecordedMarket {
  readonly index: number;
  /** The number of updates, known once the market has closed; Infinity until then. */
  updates: number;
  received: number;
  freshAt: Instant | undefined;
  statusFreshAt: Instant | undefined;
}

/** Subscribe to the gateway's feed to run it; orders go to the built-in exchange. */
export class PaperExchange {
  readonly clock: FollowingClock;
  readonly gateway: LiveGateway;
  readonly #parts: PaperParts;
  readonly #inner: SimulatedGateway;
  readonly #playback: Playback;
  readonly #own$ = new Subject<FeedMessage>();
  readonly #markets = new Map<MarketEncoder, GrowingMarket>();
  readonly #spare: UpdateBuffer[] = [];
  #waiting: Waiting[] = [];
  #reads: FeedName[] = [];
  #waitingAt = Number.POSITIVE_INFINITY;

  constructor(parts: PaperParts) {
    this.#parts = parts;
    this.clock = new FollowingClock({
      wall: parts.wall,
      onWake: () => this.#catchUp(this.clock.reading()),
      onFault: (error) => this.#own$.error(error),
    });
    const at = this.clock.reading();
    const replay = new ReplayExchange({ ...parts.exchange, at });
    const random = Random.fromSeed(parts.seed);
    this.#inner = new SimulatedGateway({
      clock: this.clock.simulated,
      sentAt: () => this.clock.now(),
      replay,
      latency: parts.latency,
      random,
      otherRandom: Random.fromSeed(parts.seed).fork(),
      wallets: parts.exchange.wallets.length,
      onOrderEnd: () => undefined,
      onMarketEnd: () => undefined,
    });
    this.#playback = new Playback(new RecordedMarkets(parts.exchange, [replay]), [this.#inner]);
    this.gateway = this.#gateway(replay);
  }

  /**
   * Runs work that no feed and no timer of the run asks for, such as an operator's command, at an instant of its own: all of before
   * has happened, nothing else of it has. A replay does the same again at the beginning of that instant.
   */
  fromOutside(work: () => void): void {
    const { clock } = this;
    if (!clock.canStep) return work();
    try {
      const at = clock.unbegun;
      if (this.#waitingAt < at) this.#playWaiting();
      clock.begin(at, work);
      clock.arm();
    } catch (error) {
      clock.stop();
      this.#own$.error(error);
    }
  }

  /** Stops the clock: nothing happens any more. */
  stop(): void {
    this.clock.stop();
  }

  #gateway(replay: ReplayExchange): LiveGateway {
    const inner = this.#inner;
    const { wallets } = this.#parts.exchange;
    return {
      feed$: merge(this.#own$, inner.feed$, this.#run()).pipe(share()),
      place: (batch) => this.#sent(inner.place(batch)),
      cancel: (orders) => this.#sent(inner.cancel(orders)),
      heartbeat: (timeoutMs) => this.#sent(inner.heartbeat(timeoutMs)),
      clearHeartbeat: () => this.#sent(inner.clearHeartbeat()),
      accountSnapshot: () =>
        defer(() => {
          const from = this.clock.now() as Instant;
          const asked = inner.asking((to) => accountSnapshotOf(replay, wallets.length, { from, to }));
          return this.#sent(asked.pipe(map((books) => ({ kind: 'books' as const, books }))));
        }),
      // At this exchange only the bot has orders, so there is nothing to adopt.
      adopt: () => undefined,
      follow: (markets) => this.#parts.follow?.(markets),
    };
  }

  /** Passes a request on. It may leave between two steps, so the clock is armed for its arrival here. */
  #sent<Reply>(request$: Observable<Reply>): Observable<Reply> {
    return new Observable<Reply>((subscriber) => {
      const subscription = request$.subscribe(subscriber);
      this.clock.arm();
      return subscription;
    });
  }

  /** Subscribes to everything that makes the feed emit, for as long as the feed has subscribers. */
  #run(): Observable<never> {
    return new Observable<never>((subscriber) => {
      const all = new Subscription();
      const { clock } = this;
      all.add(clock.schedule(() => this.#inner.start()));
      all.add(timer(0, READ_EVERY_MS, clock).subscribe(() => this.#emitReads(OWN_FEEDS)));
      const next = (message: MarketFeedMessage): void => {
        try {
          this.#onMessage(message);
        } catch (error) {
          subscriber.error(error);
        }
      };
      all.add(this.#parts.updates$.subscribe({ next, error: (error) => subscriber.error(error) }));
      return all;
    });
  }

  #onMessage(message: MarketFeedMessage): void {
    if (message.kind !== 'market' && message.kind !== 'read') return;
    const at = this.clock.reading();
    if (this.#waitingAt < at) this.#playWaiting();
    if (message.kind === 'read') this.#reads.push(message.feed);
    else this.#write(message.market, message.cause, at);
    if (this.#waiting.length === 0 && this.#reads.length === 0) return;
    this.#waitingAt = at;
    this.clock.arm(at + 1);
  }

  /** Reads the book now and queues the update: a millisecond later the book may be newer. */
  #write(book: LiveBook, cause: MarketCause, at: Instant): void {
    const input = this.#parts.record(book, cause, at);
    if (input === undefined) return;
    const market = this.#markets.get(input.market) ?? growing(input.market);
    this.#markets.set(input.market, market);
    market.received += 1;
    if (input.isLast) {
      market.updates = market.received;
      this.#markets.delete(input.market);
    }
    const update = this.#spare.pop() ?? new UpdateBuffer();
    update.copy(input.update);
    const { freshAt, statusFreshAt } = book;
    this.#waiting.push({ input, update, market, fresh: { freshAt, statusFreshAt } });
  }

  #catchUp(now: Instant): void {
    if (this.#waitingAt < now) this.#playWaiting();
    const until = Math.min(now, this.#waitingAt);
    this.clock.step(() => this.clock.simulated.runUntil(until));
    this.clock.arm(this.#waitingAt + 1);
  }

  #playWaiting(): void {
    const [waiting, reads, at] = [this.#waiting, this.#reads, this.#waitingAt];
    this.#waiting = [];
    this.#reads = [];
    this.#waitingAt = Number.POSITIVE_INFINITY;
    waiting.sort((a, b) => a.input.tape - b.input.tape || a.input.position - b.input.position);
    this.clock.step(() => {
      for (const { update, market, fresh } of waiting) {
        market.freshAt = fresh.freshAt;
        market.statusFreshAt = fresh.statusFreshAt;
        this.#playback.play(market.index, market, update);
        this.#spare.push(update);
      }
      this.clock.simulated.runUntil(at);
      this.#emitReads(reads);
    });
    this.clock.arm();
  }

  #emitReads(feeds: readonly FeedName[]): void {
    const at = this.clock.now() as Instant;
    for (const feed of feeds) this.#own$.next({ kind: 'read', feed, at });
  }
}

function growing({ book, definitions }: MarketEncoder): GrowingMarket {
  const { index, facts, minimumStake } = book;
  return {
    index,
    facts,
    grade: 'A',
    definitions,
    ...(minimumStake && { minimumStake }),
    updates: Number.POSITIVE_INFINITY,
    received: 0,
    freshAt: undefined,
    statusFreshAt: undefined,
  };
}

/**
 * The built-in exchange's account of the bot now, in the form in which a remote exchange answers: orders that are live or matched and
 * positions, both of markets that have not ended, and the wallets' balances. `times` says within which span the account was read, and is
 * passed on.
 */
function accountSnapshotOf(
  replay: ReplayExchange,
  wallets: number,
  times: { from: Instant; to: Instant },
): AccountSnapshot {
  const { exchange } = replay;
  const markets = replay.openMarkets().filter((market) => !market.played.hasEnded);
  const orders = markets.flatMap((market) => {
    const { tracks } = exchange.market(market.exchangeId);
    return [...tracks].filter(isHeld).map((track) => bookedOrder(market, track));
  });
  const positions: BookedPosition[] = [];
  const money: AccountSnapshot['wallets'][number][] = [];
  for (let wallet = 0; wallet < wallets; wallet += 1) {
    const { balance, balanceAvailable } = exchange.walletMoney(wallet);
    money.push({ wallet, balance, balanceAvailable });
    for (const market of markets) {
      const profits = exchange.profitsIfWins(wallet, market.exchangeId);
      if (profits !== undefined) positions.push(bookedPosition(market, wallet, profits));
    }
  }
  return { ...times, orders, positions, wallets: money };
}

function isHeld(track: OrderTrack): boolean {
  return isLive(track.status) || (track.matched > 0 && track.status !== 'Voided');
}

function bookedOrder(market: ReplayMarket, track: OrderTrack): BookedOrder {
  const { wallet, outcome, side, tick, stake } = track.request;
  const marketId = market.facts.id;
  const outcomeId = outcomeOf(market, outcome);
  return { ...track.report(), reference: undefined, wallet, marketId, outcomeId, side, tick, stake };
}

function bookedPosition(market: ReplayMarket, wallet: number, profits: readonly Money[]): BookedPosition {
  const profitIfWins = new Map(profits.map((profit, outcome) => [outcomeOf(market, outcome), profit]));
  return { wallet, marketId: market.facts.id, profitIfWins };
}

function outcomeOf(market: ReplayMarket, outcome: number): string {
  return market.played.recorded.facts.outcomes[outcome]?.id ?? '';
}
