/**
 * One market of the crowd: created, or taken over after a restart, and traded in real time. Its note is what a restart
 * needs.
 */

import { defined } from '../../core/checks/assert.ts';
import { NO_TICK } from '../../core/number/ladder.ts';
import { Random } from '../../core/number/random.ts';
import { type Instant, instant } from '../../core/number/units.ts';
import { type SideIndex, sideOf } from '../../core/side.ts';
import type { ExchangeEvent } from '../../matching/messages/event.ts';
import { Crowd, type CrowdView } from '../../simulator/crowd/crowd.ts';
import { CrowdMarket } from '../../simulator/crowd/crowd-market.ts';
import { CROWD_PROFILE } from '../../simulator/crowd/crowd-profile.ts';
import { FairOdds } from '../../simulator/crowd/fair-odds.ts';
import { type LifeStep, type MatchPlan, planLife } from '../../simulator/crowd/match-life.ts';
import type { MachineCommand } from '../world/change.ts';
import type { World } from '../world/world.ts';
import { CROWD_KINDS, type CrowdKind } from './crowd-kinds.ts';
import { type MarketMaker, withoutTime } from './market-maker.ts';

/** The part of a match that is kept over a restart. */
export interface MatchNote {
  readonly market: number;
  readonly event: number;
  /** Counts the crowd's matches. Together with the seed it determines all randomness of this one. */
  readonly number: number;
  readonly kind: CrowdKind['id'];
  readonly opensAt: Instant;
  readonly endsAt: Instant;
  /** Fair probabilities of the outcomes when the note was written. */
  readonly chances: readonly number[];
}

export interface MatchOptions {
  readonly seed: number;
  /** Orders per second before the start. */
  readonly pace: number;
}

/** Factor of the seed: matches of one seed never share a random stream as long as there are fewer of them. */
const NUMBERS = 2 ** 20;
const CHANCE_GRAIN = 1_000_000;

export class CrowdMatch {
  readonly note: MatchNote;
  readonly kind: CrowdKind;
  readonly #fair: FairOdds;
  readonly #motion: CrowdMarket;
  readonly #view: CrowdView;

  /**
   * `restartedAt` is given where the match is taken over after a restart: new traders continue the rest of its life.
   */
  constructor(parts: {
    readonly world: World;
    readonly maker: MarketMaker;
    readonly note: MatchNote;
    readonly options: MatchOptions;
    readonly restartedAt?: Instant;
  }) {
    const { world, note, options, restartedAt } = parts;
    this.note = note;
    this.kind = kindOf(note.kind);
    const random = randomOf(options.seed, note.number, restartedAt);
    const { app, wallet } = parts.maker;
    const trader = { app, wallet, market: note.market, outcomes: this.kind.outcomes };
    this.#fair = new FairOdds({ weights: note.chances, winners: this.kind.winners });
    const profile = { ...CROWD_PROFILE, ordersPerSecond: options.pace };
    const crowd = new Crowd({ trader, profile, fair: this.#fair, random: random.fork() });
    const planned = planLife(planOf(note, this.kind), random.fork());
    const life = restartedAt === undefined ? planned : remainingLife(world, note, planned, restartedAt);
    this.#motion = new CrowdMarket({ trader, crowd, life, random: random.fork(), inPlayPace: profile.inPlayPace });
    this.#view = viewOf(world, note.market);
  }

  /** When the next command is due, ms UTC; Infinity once the match is over. */
  get nextAt(): number {
    return this.#motion.nextAt;
  }

  next(): MachineCommand {
    return withoutTime(this.#motion.next(this.#view));
  }

  onEvent(event: ExchangeEvent): void {
    this.#motion.onEvent(event);
  }

  /** The note with the present fair probabilities. */
  noteNow(): MatchNote {
    const chances = this.note.chances.map(
      (_, outcome) => Math.max(1, Math.round(this.#fair.probability(outcome) * CHANCE_GRAIN)) / CHANCE_GRAIN,
    );
    return { ...this.note, chances };
  }
}

export function randomOf(seed: number, number: number, restartedAt?: Instant): Random {
  const random = Random.fromSeed(seed * NUMBERS + (number % NUMBERS));
  return restartedAt === undefined ? random : Random.fromSeed(random.uint32() * NUMBERS + (restartedAt % NUMBERS));
}

function kindOf(id: CrowdKind['id']): CrowdKind {
  return defined(
    CROWD_KINDS.find((kind) => kind.id === id),
    `the crowd knows ${id}`,
  );
}

export function startsAt({ endsAt }: Pick<MatchNote, 'endsAt'>, kind: CrowdKind): Instant {
  return instant(endsAt - kind.inPlayMs);
}

function planOf(note: MatchNote, kind: CrowdKind): MatchPlan {
  const { opensAt, endsAt } = note;
  const { jumpsMean, inPlayMs } = kind;
  return {
    opensAt,
    endsAt,
    jumpsMean,
    ending: 'settle',
    ...(inPlayMs === 0 ? {} : { startsAt: startsAt(note, kind) }),
  };
}

/**
 * The remaining steps after a restart. Moves that the market has made already are requested again, which changes
 * nothing. A market whose time passed meanwhile is locked and settled by the last known probabilities.
 */
function remainingLife(world: World, note: MatchNote, planned: readonly LifeStep[], now: Instant): readonly LifeStep[] {
  const view = world.exchange.market(note.market);
  const later = planned.filter((step) => step.at > now);
  if (view === undefined) return [];
  if (view.status === 'Locked') return [...later.filter(({ kind }) => kind !== 'settle'), { at: now, kind: 'settle' }];
  if (view.status !== 'Open' && view.status !== 'Initializing') return [];
  if (now >= note.endsAt) {
    return [
      { at: now, kind: 'lock' },
      { at: now, kind: 'settle' },
    ];
  }
  const hasStarted = planned.some((step) => step.kind === 'goInPlay' && step.at <= now);
  return [
    ...(view.status === 'Initializing' ? [{ at: now, kind: 'open' } as const] : []),
    ...(hasStarted ? [{ at: now, kind: 'goInPlay' } as const] : []),
    { at: now, kind: 'resume', jump: false },
    ...later,
  ];
}

/** The public view of a market, cross-matched stake included. */
function viewOf(world: World, market: number): CrowdView {
  return {
    bestTick: (outcome: number, side: SideIndex) => {
      const wanted = sideOf(side);
      const levels = world.exchange.prices(market, { cross: true });
      return levels.find((level) => level.outcome === outcome && level.side === wanted)?.tick ?? NO_TICK;
    },
  };
}
