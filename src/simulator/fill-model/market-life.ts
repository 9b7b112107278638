/** What the exchange must be told when a recorded market's definition changes. */

import type { Instant } from '../../core/number/units.ts';
import type { Command, MarketTerms } from '../../matching/messages/command.ts';
import type { RecordedDefinition } from '../../recording/tape/definition.ts';

/**
 * What becomes of our resting orders when a market in play is suspended: at a material event (a goal) Betfair cancels all that is
 * unmatched, elsewhere (cricket) suspensions leave it.
 *
 * - `as-recorded`: cancelled in the moment in which the recording empties the book of the crowd, within that suspension or with
 *   the update that ends it; kept where any of it stays, and where nothing rested before.
 * - `cancel`: cancelled by every such suspension.
 * - `keep`: they stay, whatever the recording shows.
 */
export type InPlaySuspension = 'as-recorded' | 'cancel' | 'keep';

/** Overrides of what the tape says of a market's rules. */
export interface LifeRules {
  /** Instead of the recorded delay, for every market in play. */
  readonly inPlayDelayMs?: number;
  /** Whether markets that are recorded as cross matching do so here. */
  readonly crossMatching: boolean;
  /**
   * Whether a market is suspended for good at its last recorded update where that did not end it. Nobody knows what came
   * after, and a book that stands still for months would match whatever is sent. False where the recording is of a run
   * that went on trading (`parity`), or is still being made (`run --mode paper`).
   */
  readonly suspendsAtEnd?: boolean;
  /** Absent: `keep`. */
  readonly inPlaySuspension?: InPlaySuspension;
}

/** Whose market it is, and in which currency, a recording does not say. */
export type RecordedTerms = Omit<MarketTerms, 'app' | 'currency'>;

/**
 * What the exchange is told when it creates the market: as the first definition has it, but for two things that an exchange cannot
 * learn later, how many outcomes there are and how many may win (docs/backtest.md, "What a strategy sees of a market"). A recording's
 * number of winners is all that is known of the range (profile section 6): from one to that many.
 */
export function termsOf(definitions: readonly RecordedDefinition[], event: number, rules: LifeRules): RecordedTerms {
  const first = definitions[0];
  return {
    event,
    outcomes: first?.outcomes.length ?? 0,
    winners: { min: 1, max: Math.max(1, ...definitions.map((definition) => definition.winnerCount)) },
    crossMatching: rules.crossMatching && first?.crossMatching === true,
    // A recording may turn any market in play. Nobody sees this term: what is shown is the status of the definition in force.
    turnsInPlay: true,
    inPlayDelayMs: rules.inPlayDelayMs ?? first?.inPlayDelayMs ?? 0,
    eventStartAction: first?.eventStartAction ?? 'None',
    // A recorded market has no lock of its own: it is locked on the way to its settlement.
    marketLockAction: 'None',
  };
}

export interface LifeChange {
  /** Undefined for a market just created. */
  readonly before: RecordedDefinition | undefined;
  readonly after: RecordedDefinition;
  /** It was settled or voided once: whatever the tape says of its status since, its result can only be changed. */
  readonly wasEnded: boolean;
  /** Outcomes removed before, by index: the exchange cannot bring one back, even where a recording does. */
  readonly removed: ReadonlySet<number>;
  readonly rules: LifeRules;
}

/**
 * The commands that take a market from one definition to the next.
 * Removals come first, while the market still is what it was; settlement comes last.
 */
export function lifeCommands(market: number, at: Instant, change: LifeChange): readonly Command[] {
  const { before, after, rules, wasEnded } = change;
  const commands: Command[] = [];
  if (before === undefined) commands.push({ at, kind: 'publish', market, published: true });
  commands.push(...removals(market, at, change));
  if (after.inPlayDelayMs !== before?.inPlayDelayMs && rules.inPlayDelayMs === undefined) {
    commands.push({ at, kind: 'setInPlayDelay', market, delayMs: after.inPlayDelayMs });
  }
  if (isEnded(after)) return [...commands, ...endings(market, at, change)];
  if (wasEnded) return commands;
  if (after.status === 'Open' && (before === undefined || before.status === 'Initializing')) {
    commands.push({ at, kind: 'open', market });
  }
  if (after.status === 'Initializing' && before?.status === 'Open') commands.push({ at, kind: 'unopen', market });
  if (before !== undefined && after.eventStartAction !== before.eventStartAction)
    commands.push({ at, kind: 'setEventStartAction', market, action: after.eventStartAction });
  const wasInPlay = before?.inPlayStatus === 'InPlay';
  const isInPlay = after.inPlayStatus === 'InPlay';
  if (isInPlay !== wasInPlay) commands.push({ at, kind: 'setInPlay', market, inPlay: isInPlay });
  const wasSuspended = before?.suspended ?? false;
  if (after.suspended !== wasSuspended) commands.push({ at, kind: 'suspend', market, suspended: after.suspended });
  return commands;
}

/** A market that was trading in play is suspended. The switch to in play itself is none: what lapses there is another rule's. */
export function isSuspendedInPlay(before: RecordedDefinition | undefined, after: RecordedDefinition): boolean {
  if (before === undefined || before.suspended || !after.suspended) return false;
  return before.inPlayStatus === 'InPlay' && after.inPlayStatus === 'InPlay' && after.status === 'Open';
}

/** Whether the tape says that the market is over. */
export function isEnded(definition: RecordedDefinition): boolean {
  return definition.status === 'Settled' || definition.status === 'Voided';
}

function removals(market: number, at: Instant, { before, after, removed }: LifeChange): readonly Command[] {
  const basis = after.winnerCount > 1 ? 'place' : 'win';
  return after.outcomes.flatMap((outcome, index): Command[] => {
    if (outcome.status !== 'Removed' || removed.has(index)) return [];
    // A non-runner known from the start has repriced nothing: no bet was struck before.
    const factorPpm = before === undefined ? 0 : (outcome.factorPpm ?? 0);
    return [{ at, kind: 'removeOutcome', market, outcome: index, factorPpm, basis }];
  });
}

function endings(market: number, at: Instant, { before, after, wasEnded }: LifeChange): readonly Command[] {
  const winners = winnersOf(after);
  const places = after.winnerCount;
  if (wasEnded) {
    const same = before?.status === after.status && winners.join() === winnersOf(before).join();
    return same ? [] : [{ at, kind: 'resettle', market, winners, places }];
  }
  const open: Command[] = before?.status === 'Open' ? [] : [{ at, kind: 'open', market }];
  if (after.status === 'Voided') return [...open, { at, kind: 'void', market }];
  return [...open, { at, kind: 'lock', market }, { at, kind: 'settle', market, winners, places }];
}

function winnersOf(definition: RecordedDefinition): readonly number[] {
  if (definition.status === 'Voided') return [];
  return definition.outcomes.flatMap((outcome, index) => (outcome.status === 'Winner' ? [index] : []));
}
