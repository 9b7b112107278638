/** Which commands the exchange needs when a recorded market's definition changes. */

import { winnersOfCount } from '../../core/market.ts';
import type { Instant } from '../../core/number/units.ts';
import type { Command, MarketTerms } from '../../matching/messages/command.ts';
import type { RecordedDefinition } from '../../recording/tape/definition.ts';

/**
 * What happens to our resting orders when a market in play is suspended. At a material event (a goal) Betfair cancels
 * all that is unmatched; in other sports (cricket) suspensions leave it.
 *
 * - `as-recorded`: they are cancelled at the moment at which the recorded book becomes empty, within that suspension
 *   or with the update that ends it; they stay where any recorded stake stays, and where none rested before.
 * - `cancel`: every such suspension cancels them.
 * - `keep`: they stay, whatever the recording shows.
 */
export type InPlaySuspension = 'as-recorded' | 'cancel' | 'keep';

const MILLION = 1_000_000;

/** Settings that override what the tape says about a market's rules. */
export interface LifeRules {
  /** Delay in play, in ms, used instead of the recorded one for every market. */
  readonly inPlayDelayMs?: number;
  /** Whether markets that are recorded as cross matching match across outcomes here. */
  readonly crossMatching: boolean;
  /**
   * Whether a market is suspended for good at its last recorded update where that did not end it. What came after is
   * unknown, and a book that stands still for months would match whatever is sent. False where the recording is of a
   * run that went on trading (`parity`), or is still being made (`run --mode paper`).
   */
  readonly suspendsAtEnd?: boolean;
  /** Absent: `keep`. */
  readonly inPlaySuspension?: InPlaySuspension;
}

/**
 * The terms of a market that follow from its recording, which does not say to which app it belongs or in which
 * currency.
 */
export type RecordedTerms = Omit<MarketTerms, 'app' | 'currency'>;

/**
 * The terms with which the exchange creates a market. They follow the first definition, except for two things that an
 * exchange cannot change later: how many outcomes there are, and how many may win (docs/how-it-decides.md, "What a
 * strategy sees of a market"). All that is known of the range of winners is the recorded number of winners (profile
 * section 6): the range is from one to that many, or from none to all where a definition does not know it.
 */
export function termsOf(definitions: readonly RecordedDefinition[], rules: LifeRules): Omit<RecordedTerms, 'event'> {
  const first = definitions[0];
  const outcomes = first?.outcomes.length ?? 0;
  const counts = definitions.map(({ winnerCount }) => winnerCount);
  return {
    outcomes,
    winners: winnersOfCount(counts.includes(0) ? 0 : Math.max(1, ...counts), outcomes),
    crossMatching: rules.crossMatching && first?.crossMatching === true,
    // A recording may turn any market in play. Strategies do not see this term: they see the status of the definition
    // in force.
    turnsInPlay: true,
    inPlayDelayMs: rules.inPlayDelayMs ?? first?.inPlayDelayMs ?? 0,
    delaysTakersOnly: first !== undefined && delaysTakersOnly(first),
    eventStartAction: first?.eventStartAction ?? 'None',
    // A recorded market is not locked by a time of its own: it is locked on the way to its settlement.
    marketLockAction: 'None',
  };
}

/** A change from one definition of a recorded market to the next. */
export interface LifeChange {
  /** The definition in force until now; undefined for a market just created. */
  readonly before: RecordedDefinition | undefined;
  readonly after: RecordedDefinition;
  /**
   * The definition by which the market was last settled or voided. Whatever the tape says of its status since, only its
   * result can be changed.
   */
  readonly ending: RecordedDefinition | undefined;
  /** Indexes of outcomes that earlier commands removed: the exchange cannot bring one back, even where a recording does. */
  readonly removed: ReadonlySet<number>;
  readonly rules: LifeRules;
}

/**
 * The commands that take a market from one definition to the next; the exchange takes each of them, whatever a recording
 * says. Removals come first, while the market still has its old status; settlement comes last.
 */
export function lifeCommands(market: number, at: Instant, change: LifeChange): readonly Command[] {
  const { before, after, rules, ending } = change;
  if (ending !== undefined) return isEnded(after) ? corrections(market, at, { ...change, ending }) : [];
  const commands: Command[] = [];
  if (before === undefined) commands.push({ at, kind: 'publish', market, published: true });
  // A market that is voided gives all stakes back, removed outcomes or not, and it may be settled for one of them later.
  if (after.status !== 'Voided') commands.push(...removals(market, at, change));
  const delay = delayOf(after, rules);
  if (before === undefined || JSON.stringify(delay) !== JSON.stringify(delayOf(before, rules)))
    commands.push({ at, kind: 'setInPlayDelay', market, ...delay });
  if (isEnded(after)) return [...commands, ...endings(market, at, change)];
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

/**
 * Whether a market that was trading in play is suspended. The switch to in play itself does not count: what lapses then
 * follows another rule.
 */
export function isSuspendedInPlay(before: RecordedDefinition | undefined, after: RecordedDefinition): boolean {
  if (before === undefined || before.suspended || !after.suspended) return false;
  return before.inPlayStatus === 'InPlay' && after.inPlayStatus === 'InPlay' && after.status === 'Open';
}

/** Whether the tape says that the market has ended. */
export function isEnded(definition: RecordedDefinition): boolean {
  return definition.status === 'Settled' || definition.status === 'Voided';
}

function delayOf(definition: RecordedDefinition, rules: LifeRules): { delayMs: number; delaysTakersOnly: boolean } {
  const delayMs = rules.inPlayDelayMs ?? definition.inPlayDelayMs;
  return { delayMs, delaysTakersOnly: delaysTakersOnly(definition) };
}

function delaysTakersOnly({ inPlayDelayModels = [] }: RecordedDefinition): boolean {
  return inPlayDelayModels.includes('PASSIVE');
}

function removals(market: number, at: Instant, { before, after, removed }: LifeChange): readonly Command[] {
  const basis = after.winnerCount > 1 ? 'place' : 'win';
  return after.outcomes.flatMap((outcome, index): Command[] => {
    if (outcome.status !== 'Removed' || removed.has(index)) return [];
    // A non-runner known from the start has repriced nothing: no bet was matched before.
    const factorPpm = before === undefined ? 0 : (outcome.factorPpm ?? 0);
    const factor = isFactor(factorPpm) ? factorPpm : 0;
    return [{ at, kind: 'removeOutcome', market, outcome: index, factorPpm: factor, basis }];
  });
}

/** Tapes may hold what cannot be a reduction: bets on the removed outcome are void then, and others stay as they were. */
function isFactor(factorPpm: number): boolean {
  return factorPpm >= 0 && factorPpm < MILLION;
}

function endings(market: number, at: Instant, { before, after, removed }: LifeChange): readonly Command[] {
  const open: Command[] = before?.status === 'Open' ? [] : [{ at, kind: 'open', market }];
  if (after.status === 'Voided') return [...open, { at, kind: 'void', market }];
  return [...open, { at, kind: 'lock', market }, { at, kind: 'settle', market, ...resultOf(after, removed) }];
}

/** Changes of the result. Removals come last: they settle again by the winners in force. */
function corrections(
  market: number,
  at: Instant,
  change: LifeChange & { readonly ending: RecordedDefinition },
): readonly Command[] {
  const { after, ending, removed } = change;
  if (after.status === 'Voided')
    return ending.status === 'Voided' ? [] : [{ at, kind: 'resettle', market, winners: [] }];
  const result = resultOf(after, removed);
  const isSame = ending.status === 'Settled' && isEqual(result, resultOf(ending, removed));
  const settled: Command[] = isSame ? [] : [{ at, kind: 'resettle', market, ...result }];
  return [...settled, ...removals(market, at, change)];
}

function isEqual(one: Result, other: Result): boolean {
  return one.winners.join() === other.winners.join() && one.places === other.places;
}

interface Result {
  readonly winners: readonly number[];
  readonly places?: number;
}

/** An outcome that was removed stays that, also where a recording brings it back and lets it win: who won was none of the others. */
function resultOf({ outcomes, winnerCount }: RecordedDefinition, removed: ReadonlySet<number>): Result {
  const winners = outcomes.flatMap(({ status }, index) => (status === 'Winner' && !removed.has(index) ? [index] : []));
  if (winners.length === 0) return { winners, places: 0 };
  return winnerCount === 0 ? { winners } : { winners, places: Math.min(winnerCount, outcomes.length) };
}
