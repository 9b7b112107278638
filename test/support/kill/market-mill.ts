/** Markets that open, are suspended, go in play, and end in every way there is, moved by the control surface in real time. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../random.ts';
import type { ControlClient } from '../vendor/control-client.ts';
import type { Json } from '../vendor/vendor-client.ts';
import { FairOdds } from './ladder-walk.ts';

export interface MillPlan {
  /** Markets alive at any time. */
  readonly size: number;
  /** From opening to result, ms. */
  readonly lifeMs: readonly [number, number];
  /** From the result to closing, ms. */
  readonly lingerMs: readonly [number, number];
  readonly names: { readonly marketTypeId: string; readonly eventGroupId: string; readonly currencyId?: string };
}

export interface MillMarket {
  readonly id: string;
  readonly outcomeIds: readonly string[];
  readonly fair: FairOdds;
  /** Whether orders are taken. */
  isTaking: boolean;
  /** When its result was asked for; undefined while it can still be bet on. */
  overAt: number | undefined;
}

type Move = 'suspend' | 'unsuspend' | 'in-play' | 'lock' | 'settle' | 'resettle' | 'void' | 'close';

interface Step {
  readonly at: number;
  readonly move: Move;
}

interface Running {
  readonly market: MillMarket;
  steps: Step[];
  isMoving: boolean;
}

const OUTCOMES = ['Home', 'Away', 'Draw'];
const LOCK_SLACK_MS = 60_000;
const SUSPENDED_MS: readonly [number, number] = [400, 1_600];
const RESULT_AFTER_LOCK_MS = 250;
const IN_PLAY_DELAY_S = 1;
const LOOK_EVERY_MS = 50;

export class MarketMill {
  readonly #control: ControlClient;
  readonly #plan: MillPlan;
  readonly #random: Random;
  readonly #running = new Map<string, Running>();
  /** Every market there was, by id. */
  readonly seen = new Map<string, MillMarket>();
  readonly moves = new Map<Move, number>();
  #isPaused = false;
  #isStopped = false;
  #turning: Promise<void> = Promise.resolve();

  constructor(control: ControlClient, plan: MillPlan, random: Random) {
    this.#control = control;
    this.#plan = plan;
    this.#random = random;
  }

  /** Makes the catalogue's part of it, and the first markets, of every age. */
  async begin(): Promise<void> {
    const { marketTypeId, eventGroupId } = this.#plan.names;
    const sport = `${eventGroupId}_SPORT`;
    await this.#control.call('POST', '/categories', { id: `${sport}S`, name: 'Milled' });
    await this.#control.call('POST', '/subcategories', { id: sport, name: 'Milled', categoryId: `${sport}S` });
    await this.#control.call('POST', '/event-groups', { id: eventGroupId, name: 'Mill', subcategoryId: sport });
    const winnersRange = { min: 1, max: 1 };
    await this.#control.call('POST', '/market-types', {
      ...{ id: marketTypeId, outcomesRange: { min: 2, max: 5 }, winnersRange },
    });
    for (let index = 0; index < this.#plan.size; index += 1) await this.#open((index + 1) / this.#plan.size);
    this.#turning = this.#turn();
  }

  /** Open markets that take orders. */
  get taking(): readonly MillMarket[] {
    return [...this.#running.values()].filter(({ market }) => market.isTaking).map(({ market }) => market);
  }

  /** Nothing moves until it is resumed. Resolves once nothing is on its way. */
  async pause(): Promise<void> {
    this.#isPaused = true;
    while ([...this.#running.values()].some(({ isMoving }) => isMoving)) await sleep(LOOK_EVERY_MS);
  }

  resume(): void {
    this.#isPaused = false;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#turning;
    await this.pause();
  }

  /** Settles this many markets now, and closes them if asked to. Only while it is paused. */
  async settleNow(count: number, isClosed: boolean): Promise<void> {
    const open = [...this.#running.values()].filter(({ market }) => market.overAt === undefined).slice(0, count);
    for (const running of open) {
      // One whose result was due may be locked already.
      if (running.steps.some(({ move }) => move === 'lock')) await this.#carryOut(running, 'lock');
      await this.#carryOut(running, 'settle');
      if (isClosed) await this.#carryOut(running, 'close');
      else running.steps = [];
    }
  }

  /** The next result, or the next closing, comes at once. */
  hurry(move: 'settle' | 'close', wanted: ReadonlySet<string>): void {
    const until = move === 'settle' ? ['settle', 'void'] : ['close'];
    for (const [id, running] of this.#running) {
      if (!wanted.has(id)) continue;
      const last = running.steps.findIndex((step) => until.includes(step.move));
      if (last >= 0) running.steps = running.steps.map((step, index) => (index <= last ? { ...step, at: 0 } : step));
    }
  }

  /** A market outside of the mill, which its maker ends himself. */
  async make(name: string, lockAt: number): Promise<MillMarket> {
    const { marketTypeId, eventGroupId, currencyId = 'USDC' } = this.#plan.names;
    const start = new Date(lockAt).toISOString();
    const event = { eventGroupId, name: 'Home v Away', code: 'HVA', expectedStartTime: start };
    const { id: eventId } = await this.#control.call('POST', '/events', event);
    const made: Json = await this.#control.call('POST', '/markets', {
      ...{ eventId, name, marketTypeId, currencyId, lockAt: start, inPlayDelay: IN_PLAY_DELAY_S },
      ...{ eventStartAction: 'CancelUnmatchedLiquidity', marketLockAction: this.#lockAction() },
      crossMatchingEnabled: this.#random.chance(0.7),
      outcomes: OUTCOMES.map((title) => ({ title })),
    });
    const outcomeIds: readonly string[] = made.outcomes.map((outcome: Json) => outcome.id);
    const fair = new FairOdds(outcomeIds.length, this.#random);
    const market = { id: String(made.id), outcomeIds, fair, isTaking: true, overAt: undefined };
    this.seen.set(market.id, market);
    return market;
  }

  #lockAction(): string {
    return this.#random.chance(0.5) ? 'CancelUnmatchedLiquidity' : 'None';
  }

  async #open(share: number): Promise<void> {
    const life = this.#between(this.#plan.lifeMs) * share;
    const now = Date.now();
    const market = await this.make('Match odds', now + life + LOCK_SLACK_MS);
    this.#running.set(market.id, { market, steps: this.#life(now, life), isMoving: false });
  }

  #life(from: number, life: number): Step[] {
    const steps: Step[] = [];
    if (this.#random.chance(0.4)) {
      const at = from + life * 0.3;
      steps.push({ at, move: 'suspend' }, { at: at + this.#between(SUSPENDED_MS), move: 'unsuspend' });
    }
    if (this.#random.chance(0.6)) steps.push({ at: from + life * 0.55, move: 'in-play' });
    const end = from + life;
    const isVoid = this.#random.chance(0.15);
    steps.push({ at: end - RESULT_AFTER_LOCK_MS, move: 'lock' }, { at: end, move: isVoid ? 'void' : 'settle' });
    const linger = this.#between(this.#plan.lingerMs);
    if (!isVoid && this.#random.chance(0.2)) steps.push({ at: end + linger / 2, move: 'resettle' });
    steps.push({ at: end + linger, move: 'close' });
    return steps.sort((one, other) => one.at - other.at);
  }

  async #turn(): Promise<void> {
    while (!this.#isStopped) {
      await sleep(LOOK_EVERY_MS);
      if (this.#isPaused) continue;
      const now = Date.now();
      const due = [...this.#running.values()].filter(({ steps: [next] }) => next !== undefined && next.at <= now);
      for (const running of due) {
        const step = running.steps.shift();
        if (step !== undefined && !this.#isPaused) await this.#carryOut(running, step.move);
        else if (step !== undefined) running.steps.unshift(step);
      }
      while (this.#running.size < this.#plan.size && !this.#isPaused && !this.#isStopped) await this.#open(1);
    }
  }

  async #carryOut(running: Running, move: Move): Promise<void> {
    const { market } = running;
    running.isMoving = true;
    try {
      if (move === 'suspend' || move === 'lock') market.isTaking = false;
      if (move === 'settle' || move === 'void') market.overAt ??= Date.now();
      const isResult = move === 'settle' || move === 'resettle';
      const body = isResult ? { winners: [this.#random.pick(market.outcomeIds)] } : {};
      await this.#control.call('POST', `/markets/${market.id}/${move}`, body);
      this.moves.set(move, (this.moves.get(move) ?? 0) + 1);
      if (move === 'unsuspend') market.isTaking = true;
      if (move === 'close') this.#running.delete(market.id);
    } finally {
      running.isMoving = false;
    }
  }

  #between([low, high]: readonly [number, number]): number {
    return this.#random.between(low, high);
  }
}
