/** What a proof has shown, in how many instants and ways, and what it cannot show. */

import { type ErrorParts, OddsmithError } from '../../core/checks/oddsmith-error.ts';
import type { LookaheadProof } from '../../result/result.ts';
import type { BacktestOptions } from '../options/backtest-options.ts';
import { CAUSE_NEXT, CAUSE_WORDS, type Cause } from './causes.ts';
import type { Difference } from './decision-recorder.ts';
import type { DrawnInstant } from './proof-instants.ts';
import type { Play, ProofReplays } from './proof-replays.ts';
import { statements, timeOf } from './proof-words.ts';

interface ShownParts {
  readonly plans: readonly { readonly play: Play; readonly drawn: readonly DrawnInstant[] }[];
  /** The number of steps that were compared, by plan and instant. */
  readonly steps: readonly (readonly number[])[];
  readonly replays: ProofReplays;
  /** How many updates the run plays. */
  readonly runUpdates: number;
  readonly options: BacktestOptions;
  readonly hasSignals: boolean;
  readonly isDisguised: boolean;
}

export function proofResult(parts: ShownParts): LookaheadProof {
  const { plans, steps, replays } = parts;
  const instants = plans.flatMap(({ play, drawn }, plan) =>
    drawn.map(({ at, kind, market }, place) => ({
      at,
      kind,
      market: play.markets.find(({ index }) => index === market)?.market.facts.id ?? '',
      steps: steps[plan]?.[place] ?? 0,
    })),
  );
  return {
    instants: instants.sort((a, b) => a.at - b.at),
    ways: waysOf(parts),
    replays: replays.replays,
    updates: replays.updates,
    timesRun: Math.round((10 * replays.updates) / Math.max(1, parts.runUpdates)) / 10,
    notShown: notShownOf(parts),
  };
}

function waysOf({ options, hasSignals, isDisguised }: ShownParts): readonly string[] {
  const hasOutside = options.strategies.some(({ plugin, files = [] }) => plugin !== undefined || files.length > 0);
  return [
    'nothing there that comes later (updates, definitions, statuses, winners, names)',
    'other prices and stakes',
    'updates shuffled in time and between markets',
    'other statuses: suspensions, in play',
    'another winner',
    'other starting prices',
    'other times of updates, another start',
    ...(hasSignals ? ['signals withheld or replaced'] : []),
    'another clock',
    ...(hasOutside ? ['files withheld'] : []),
    ...(isDisguised ? ['other ids of markets and outcomes, other years'] : []),
  ];
}

function notShownOf({ hasSignals, isDisguised }: ShownParts): readonly string[] {
  return [
    'What strategies decide at other instants than these under an altered future.',
    isDisguised
      ? 'Results that a strategy holds and recognises by prices or by the names of outcomes.'
      : 'Results that a strategy holds, in its code, in JSON that it imports or in a closure: ids stand in params, so that ids were not changed.',
    ...(hasSignals ? ['Whether rows of a signal were really known at their availableAt.'] : []),
    'Whether parameters were chosen because they did well on this recording.',
  ];
}

type ProofErrorCode = 'LOOKAHEAD' | 'PROOF_FILES' | 'PROOF_IDS';

interface Finding {
  /** Undefined where two replays are known to differ, and not in which step. */
  readonly difference: Difference | undefined;
  /** How the other replay was changed: `with all after … altered`. */
  readonly change: string;
  /** Up to which both had to decide the same. */
  readonly instant: number;
  readonly causes: readonly Cause[];
  /** Whose decision it is. */
  readonly strategy: string | undefined;
  readonly market: string | undefined;
  /** file:line:column of its `decide`. */
  readonly place: string | undefined;
  /** More of the causes: names of files, of globals. */
  readonly evidence: readonly string[];
}

/** The error that names the first decision that differs: whose, where, when, and why as far as can be told. */
export function findingError(finding: Finding): OddsmithError<ProofErrorCode> {
  const { difference, change, causes, evidence } = finding;
  const told = causes.map((cause) => CAUSE_WORDS[cause]).join('; and on ');
  const next = causes.map((cause) => CAUSE_NEXT[cause]).find((each) => each !== undefined);
  const parts: ErrorParts<ProofErrorCode> = {
    code: codeOf(causes),
    what: whatOf(finding),
    where: whereOf(finding),
    why: [
      ...(difference === undefined ? [] : [statements(difference, change)]),
      `The decision depends on ${told}.`,
      ...evidence,
    ].join(' '),
    next: next ?? 'Let it decide from its input alone; bring outside data in as a signal with availableAt.',
  };
  return new OddsmithError<ProofErrorCode>(parts);
}

function codeOf(causes: readonly Cause[]): ProofErrorCode {
  const [first] = causes;
  if (first === 'files' || first === 'environment') return 'PROOF_FILES';
  return first === 'ids' ? 'PROOF_IDS' : 'LOOKAHEAD';
}

function whatOf(finding: Finding): string {
  const { strategy, change, causes, instant } = finding;
  const name = strategy === undefined ? 'it' : `'${strategy}'`;
  switch (codeOf(causes)) {
    case 'LOOKAHEAD':
      return `The run looks ahead: ${change}, ${name} decided otherwise at or before ${timeOf(instant)}.`;
    case 'PROOF_FILES':
      return `The run cannot be proven: ${name} decides by what lies outside of the run (${causes.join(', ')}), which holds the same however the recording is altered.`;
    case 'PROOF_IDS':
      return `The run cannot be proven: ${name} decides by the ids of markets and outcomes or by the year, as it would if its code held their results.`;
  }
}

function whereOf({ difference, strategy, market, place }: Finding): string {
  const who = strategy === undefined ? [] : [`strategy '${strategy}'`];
  const when = difference === undefined ? [] : [`market ${market ?? '?'}`, timeOf(difference.first.at)];
  return [...(place === undefined ? [] : [place]), ...who, ...when].join(', ');
}
