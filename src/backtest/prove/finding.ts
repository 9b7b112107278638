/** The error that names the first decision that differs: whose, where, when, and why as far as can be told. */

import { type ErrorParts, OddsmithError } from '../../core/checks/oddsmith-error.ts';
import { CAUSE_NEXT, CAUSE_WORDS, type Cause } from './causes.ts';
import type { Difference } from './decision-recorder.ts';
import { statements, timeOf } from './proof-words.ts';

export type ProofErrorCode = 'LOOKAHEAD' | 'PROOF_FILES' | 'PROOF_IDS';

export interface Finding {
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
