/** What a proof has shown and what it cannot show, as sentences for the terminal and the report. */

import type { LookaheadProof, ProofInstant } from '../../result/result.ts';
import { count, plural } from '../../words/numbers.ts';

/** The lines for the terminal. */
export function proofLines(proof: LookaheadProof): readonly string[] {
  return [proofSentence(proof), ...proofDetails(proof)];
}

export function proofSentence({ instants }: LookaheadProof): string {
  const steps = Math.max(0, ...instants.map((instant) => instant.steps));
  const moments = `${plural(instants.length, 'instant')}${spread(instants)}`;
  return `No lookahead: with other futures after ${moments}, all ${count(steps)} steps before stayed the same.`;
}

function proofDetails({ ways, replays, timesRun, notShown }: LookaheadProof): readonly string[] {
  return [
    `Altered: ${ways.join('; ')}.`,
    `It took ${plural(replays, 'replay')} of ${timesRun} times the run's updates.`,
    `Not shown: ${notShown.map((each) => uncapitalised(each.replace(/\.$/, ''))).join('; ')}.`,
  ];
}

function spread(instants: readonly ProofInstant[]): string {
  const of = (kind: ProofInstant['kind']): number => instants.filter((each) => each.kind === kind).length;
  const markets = new Set(instants.map(({ market }) => market)).size;
  const [inPlay, settlement] = [of('beforeInPlay'), of('beforeSettlement')];
  return ` in ${plural(markets, 'market')} (${inPlay} just before in play, ${settlement} just before settlement)`;
}

function uncapitalised(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
