/** The definitions of a market with another future: other statuses, another winner, other starting prices. */

import type { Random } from '../../../core/number/random.ts';
import { instant } from '../../../core/number/units.ts';
import type { RecordedDefinition, RecordedOutcome } from '../../../recording/tape/definition.ts';
import type { RecordedMarket } from '../../../simulator/replay/played-market.ts';
import type { AlteredPart } from './alteration.ts';

export interface AlteredMarketParts {
  readonly recorded: RecordedMarket;
  /** How many of its definitions were published up to the instant. */
  readonly announced: number;
  readonly alters: ReadonlySet<AlteredPart>;
  readonly random: Random;
}

export interface AlteredDefinitions {
  /** Those of the recording, altered where they come after the instant, and one for each that may follow it by an alteration. */
  readonly all: readonly RecordedDefinition[];
  /** The number of a definition with other statuses than that one; undefined where the market has ended by then. */
  after(number: number): number | undefined;
}

/** The market's start moves by this much in the altered future. */
const START_MOVES_MS = 60_000;

export function alteredDefinitions({ recorded, announced, alters, random }: AlteredMarketParts): AlteredDefinitions {
  const { definitions } = recorded;
  const step = turnOf(recorded);
  const isSuspended = random.chance(0.5);
  const altered = definitions.map((definition, at) => {
    if (at < announced) return definition;
    let other = definition;
    if (alters.has('times')) other = withLaterStart(other);
    if (alters.has('statuses')) other = withOtherStatuses(other, true);
    if (alters.has('winner')) other = withOtherWinner(other, step);
    if (alters.has('startingPrices')) other = withOtherStartingPrices(other);
    return other;
  });
  const known = definitions.slice(0, announced);
  const added = known.map((definition) => withOtherStatuses(definition, isSuspended));
  return {
    all: [...altered, ...added],
    after: (number) => {
      const definition = known[number];
      return definition?.status === 'Open' ? definitions.length + number : undefined;
    },
  };
}

/** Each outcome that runs to the end gets the future of the next one. Removed outcomes stay, since a removal changes bets on the others. */
export function turnOf({ facts, definitions }: RecordedMarket): readonly number[] {
  const all = facts.outcomes.map((_, outcome) => outcome);
  const running = all.filter((outcome) => definitions.every(({ outcomes }) => outcomes[outcome]?.status !== 'Removed'));
  return all.map((outcome) => {
    const place = running.indexOf(outcome);
    return place < 0 ? outcome : (running[(place + 1) % running.length] ?? outcome);
  });
}

function withLaterStart(definition: RecordedDefinition): RecordedDefinition {
  const { expectedStartTime } = definition;
  if (expectedStartTime === undefined) return definition;
  return { ...definition, expectedStartTime: instant(expectedStartTime + START_MOVES_MS) };
}

/** A market that trades is suspended, or else is in play where it was not. */
function withOtherStatuses(definition: RecordedDefinition, isSuspended: boolean): RecordedDefinition {
  const { status, suspended, inPlayStatus } = definition;
  if (status !== 'Open') return definition;
  if (isSuspended || inPlayStatus === 'NotApplicable') return { ...definition, suspended: !suspended };
  return { ...definition, inPlayStatus: inPlayStatus === 'InPlay' ? 'PrePlay' : 'InPlay' };
}

function withOtherWinner(definition: RecordedDefinition, step: readonly number[]): RecordedDefinition {
  const { outcomes } = definition;
  return {
    ...definition,
    outcomes: outcomes.map((own, outcome) => {
      const other = outcomes[step[outcome] ?? outcome];
      return hasResult(own) && other !== undefined && hasResult(other) ? { ...own, status: other.status } : own;
    }),
  };
}

function hasResult({ status }: RecordedOutcome): boolean {
  return status === 'Winner' || status === 'Loser';
}

function withOtherStartingPrices(definition: RecordedDefinition): RecordedDefinition {
  return {
    ...definition,
    outcomes: definition.outcomes.map((outcome) =>
      outcome.startingPrice === undefined ? outcome : { ...outcome, startingPrice: outcome.startingPrice + 1 },
    ),
  };
}
