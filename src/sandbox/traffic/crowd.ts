/**
 * The `crowd` driver: seeded synthetic traders in real time, on markets that are renewed for as long as the sandbox
 * runs.
 */

import { assert, defined } from '../../core/checks/assert.ts';
import { type Instant, instant } from '../../core/number/units.ts';
import type { ExchangeEvent } from '../../matching/messages/event.ts';
import type { Change } from '../world/change.ts';
import { CROWD_KINDS, type CrowdKind, namesFor, weightsFor } from './crowd-kinds.ts';
import { CrowdMatch, type MatchNote, type MatchOptions, randomOf, startsAt } from './crowd-match.ts';
import {
  applyChange,
  closeFinished,
  eventGroup,
  eventOfKind,
  type MarketMaker,
  marketMaker,
  marketType,
  tryCommand,
} from './market-maker.ts';
import { type Steps, Ticker, type Traffic, type TrafficContext } from './traffic.ts';

export interface CrowdOptions {
  /** Seed of all randomness: the same seed in the same world makes the same orders. */
  readonly seed: number;
  /** How many markets run at once; absent: 6. */
  readonly markets?: number;
  /** Orders per second on each market before the start, and three times as many in play; absent: 1. */
  readonly pace?: number;
  /** How long a finished market stays readable before it is closed, in ms; absent: an hour. */
  readonly lingerMs?: number;
  readonly onBug: (error: unknown) => void;
}

const NOTE = 'crowd';
const APP = { id: 'Crowd', name: 'The crowd' };
const CATEGORY = { id: 'SYNTHETIC', name: 'Synthetic crowd' };
const LINGER_MS = 3_600_000;
const TURN_MAX = 200;

interface FinishedMarket {
  readonly market: number;
  readonly clearAt: Instant;
}

interface CrowdNote {
  /** How many matches have been created. */
  readonly made: number;
  readonly matches: readonly MatchNote[];
  readonly ended: readonly FinishedMarket[];
}

/**
 * Starts the crowd. It trades through one app of the exchange with a wallet of its own; its orders queue, wait for
 * in-play delays and are matched like all others. It makes an event for each market, and a new market when one is
 * settled. A finished market is closed after a while, and removed where no other app had an order in it.
 *
 * After a restart the earlier crowd's resting orders are cancelled, and a new crowd continues at the last fair odds
 * noted (at each step of a market's life). A market whose time passed meanwhile is settled by them.
 */
export function startCrowd(context: TrafficContext, options: CrowdOptions): Traffic {
  const { markets = 6, pace = 1, lingerMs = LINGER_MS, seed, onBug } = options;
  const steps = new CrowdSteps(context, { seed, pace, markets, lingerMs });
  return new Ticker({ clock: context.clock, steps, turnMax: TURN_MAX, onBug });
}

class CrowdSteps implements Steps {
  readonly #context: TrafficContext;
  readonly #options: MatchOptions & { readonly markets: number; readonly lingerMs: number };
  readonly #maker: MarketMaker;
  readonly #matches = new Map<number, CrowdMatch>();
  #ended: FinishedMarket[] = [];
  #made = 0;
  /** The match whose command is being carried out. */
  #acting: CrowdMatch | undefined;
  #isStopped = false;

  constructor(
    context: TrafficContext,
    options: MatchOptions & { readonly markets: number; readonly lingerMs: number },
  ) {
    this.#context = context;
    this.#options = options;
    this.#maker = marketMaker(context, APP);
    const { app, wallet } = this.#maker;
    tryCommand(context, { kind: 'cancel', app, wallets: [wallet] });
    context.world.listen((change, happened) => this.#onChange(change, happened));
    this.#takeOver();
    // The first matches are staggered, so that they do not all start and end together.
    for (let index = this.#matches.size; index < options.markets; index += 1)
      this.#begin((index + 1) / options.markets);
    this.#remember();
  }

  nextAt(): number {
    let next = this.#ended[0]?.clearAt ?? Number.POSITIVE_INFINITY;
    for (const match of this.#matches.values()) next = Math.min(next, match.nextAt);
    return next;
  }

  takeStep(): void {
    const [ended] = this.#ended;
    const match = this.#earliest();
    if (match !== undefined && (ended === undefined || match.nextAt <= ended.clearAt)) return this.#act(match);
    if (ended === undefined) return;
    this.#ended.shift();
    closeFinished(this.#context, ended.market);
    this.#remember();
  }

  onStop(): void {
    this.#isStopped = true;
    this.#remember();
  }

  #earliest(): CrowdMatch | undefined {
    let earliest: CrowdMatch | undefined;
    for (const match of this.#matches.values()) {
      if (match.nextAt < (earliest?.nextAt ?? Number.POSITIVE_INFINITY)) earliest = match;
    }
    return earliest;
  }

  #act(match: CrowdMatch): void {
    const command = match.next();
    this.#acting = match;
    const { kind } = tryCommand(this.#context, command);
    this.#acting = undefined;
    assert(kind === 'done' || command.kind !== 'place', 'the crowd places orders in good form');
    if (command.kind === 'place' || command.kind === 'cancel') return;
    const { event } = match.note;
    if (command.kind === 'setInPlay' || command.kind === 'lock') this.#begun(event);
    if (match.nextAt === Number.POSITIVE_INFINITY) this.#end(match);
    this.#remember();
  }

  #onChange(_change: Change | undefined, happened: readonly ExchangeEvent[]): void {
    if (this.#isStopped) return;
    for (const event of happened) {
      if (event.kind === 'orderRefused') this.#acting?.onEvent(event);
      if (event.kind !== 'orderAccepted' && event.kind !== 'orderChanged') continue;
      const market = this.#context.world.exchange.marketOfOrder(event.order);
      if (market !== undefined) this.#matches.get(market)?.onEvent(event);
    }
  }

  /** Sets the event's actual start, unless it is set already. */
  #begun(event: number): void {
    if (this.#context.world.catalogue.events.get(event)?.actualStartTime !== undefined) return;
    applyChange(this.#context, { kind: 'setEventTimes', event, actualStartTime: this.#context.now() });
  }

  #end(match: CrowdMatch): void {
    const context = this.#context;
    const { market, event } = match.note;
    this.#matches.delete(market);
    const view = context.world.exchange.market(market);
    // An operator may have moved the market to another status: then the crowd no longer handles it.
    if (view?.status === 'Settled' || view?.status === 'Voided')
      this.#ended.push({ market, clearAt: instant(context.now() + this.#options.lingerMs) });
    if (context.world.catalogue.events.has(event)) {
      applyChange(context, { kind: 'setEventTimes', event, actualEndTime: context.now() });
      tryCommand(context, { kind: 'setEventActive', event, active: false });
    }
    if (this.#matches.size < this.#options.markets) this.#begin(1);
  }

  /** Creates the next match. `share` is the part of the usual time before its start, 0 to 1. */
  #begin(share: number): void {
    const number = this.#made;
    this.#made += 1;
    const kind = defined(CROWD_KINDS[number % CROWD_KINDS.length], 'there are kinds');
    const opensAt = this.#context.now();
    const endsAt = instant(opensAt + Math.floor(kind.prePlayMs * share) + kind.inPlayMs);
    const { market, event, chances } = announce(this.#context, this.#maker, {
      kind,
      number,
      endsAt,
      seed: this.#options.seed,
    });
    const note: MatchNote = { market, event, number, kind: kind.id, opensAt, endsAt, chances };
    this.#matches.set(market, this.#match(note));
  }

  #takeOver(): void {
    const text = this.#context.world.catalogue.notes.get(NOTE);
    if (text === undefined) return;
    const note = JSON.parse(text) as CrowdNote;
    this.#made = note.made;
    this.#ended = [...note.ended];
    for (const each of note.matches) {
      const match = this.#match(each, this.#context.now());
      if (match.nextAt < Number.POSITIVE_INFINITY) this.#matches.set(each.market, match);
      else this.#end(match);
    }
  }

  #match(note: MatchNote, restartedAt?: Instant): CrowdMatch {
    const parts = { world: this.#context.world, maker: this.#maker, note, options: this.#options };
    return new CrowdMatch(restartedAt === undefined ? parts : { ...parts, restartedAt });
  }

  #remember(): void {
    const note: CrowdNote = {
      made: this.#made,
      matches: [...this.#matches.values()].map((match) => match.noteNow()),
      ended: this.#ended,
    };
    applyChange(this.#context, { kind: 'setNote', key: NOTE, value: JSON.stringify(note) });
  }
}

interface NewMatch {
  readonly kind: CrowdKind;
  readonly number: number;
  readonly endsAt: Instant;
  readonly seed: number;
}

/** Creates the event and its market, published but not open. */
function announce(context: TrafficContext, maker: MarketMaker, { kind, number, endsAt, seed }: NewMatch) {
  const random = randomOf(seed, number);
  const { titles, event: name } = namesFor(kind, random);
  const winners = { min: kind.winners, max: kind.winners };
  const upper = kind.subcategory.toUpperCase();
  const eventGroupId = eventGroup(context, {
    category: CATEGORY,
    subcategory: { id: `${CATEGORY.id}_${upper}`, name: kind.subcategory },
    group: { id: `${CATEGORY.id}_${upper}_LEAGUE`, name: `${kind.subcategory} of the crowd` },
  });
  const startAt = startsAt({ endsAt }, kind);
  const { app, currencyId } = maker;
  const { event } = eventOfKind(
    applyChange(context, {
      kind: 'createEvent',
      app,
      eventGroupId,
      name,
      code: `CROWD-${number + 1}`,
      expectedStartTime: startAt,
      participantIds: [],
    }),
    'eventCreated',
  );
  const { market } = eventOfKind(
    applyChange(context, {
      kind: 'createMarket',
      app,
      event,
      currencyId,
      winners,
      name: kind.marketName,
      crossMatching: kind.crossMatching,
      marketTypeId: marketType(context, { id: kind.marketTypeId, outcomes: kind.outcomes, winners }),
      outcomes: titles.map((title) => ({ title })),
      turnsInPlay: kind.inPlayMs > 0,
      inPlayDelayMs: kind.inPlayDelayMs,
      lockAt: endsAt,
      eventStartAction: 'CancelUnmatchedLiquidity',
      marketLockAction: 'CancelUnmatchedLiquidity',
    }),
    'marketCreated',
  );
  tryCommand(context, { kind: 'publish', market, published: true });
  return { event, market, chances: weightsFor(kind, random) };
}
