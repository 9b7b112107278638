/** Lines up decisions first, and what came of their intents by the decisions. */

import { type Aligned, align, isSame, timeOf } from './align.ts';
import type { Origin, Step } from './step.ts';

/** What the other side made of the same intent; undefined where it did not decide the same. */
export type Counterpart = (origin: Origin) => Step | undefined;

/** The decisions of one strategy in one market, each beside its partner. */
export function alignDecisions(run: readonly Step[], replay: readonly Step[], stepMs: number): readonly Aligned[] {
  const [ours, theirs] = [run, replay].map((steps) => steps.filter(({ kind }) => kind === 'decision'));
  return decisionsMet(align(ours ?? [], theirs ?? [], stepMs), stepMs);
}

export function counterpartOf(decisions: Iterable<readonly Aligned[]>, stepMs: number): Counterpart {
  const same = new Map<Step, Step>();
  for (const aligned of decisions)
    for (const { run, replay } of aligned)
      if (run !== undefined && replay !== undefined && isSame({ run, replay }, stepMs))
        same.set(run, replay).set(replay, run);
  return ({ decision, name }) => same.get(decision)?.outcomes?.get(name);
}

/**
 * Equal outcomes of the same intent are one step, and a refusal of what the other side did not refuse has no partner. What
 * is left, of decisions that differ or of none, is lined up by itself: so an order that was refused first finds the one that came later.
 */
export function alignOutcomes(
  run: readonly Step[],
  replay: readonly Step[],
  { counterpart, stepMs }: { readonly counterpart: Counterpart; readonly stepMs: number },
): readonly Aligned[] {
  const of = (step: Step): Step | undefined => step.origin && counterpart(step.origin);
  const met: Aligned[] = [];
  const left: [Step[], Step[]] = [[], []];
  for (const step of run) {
    if (step.kind === 'decision') continue;
    const other = of(step);
    if (other?.key === step.key) met.push({ run: step, replay: other });
    else if (other !== undefined && step.kind === 'refusal') met.push({ run: step, replay: undefined });
    else left[0].push(step);
  }
  for (const step of replay) {
    const other = of(step);
    if (step.kind === 'decision' || other?.key === step.key) continue;
    if (other !== undefined && step.kind === 'refusal') met.push({ run: undefined, replay: step });
    else left[1].push(step);
  }
  return [...met, ...align(...left, stepMs)];
}

/** Two decisions of the same instant with different intents are one difference. */
function decisionsMet(aligned: readonly Aligned[], stepMs: number): readonly Aligned[] {
  const met: Aligned[] = [];
  const alone: number[] = [];
  for (const pair of aligned) {
    const { run, replay } = pair;
    const step = run ?? replay;
    const isAlone = (run === undefined) !== (replay === undefined);
    if (step === undefined || !isAlone || step.kind !== 'decision') {
      met.push(pair);
      continue;
    }
    while (alone.length > 0 && timeOf(met[alone[0] ?? 0] ?? pair) < step.at - stepMs) alone.shift();
    const other = alone.findIndex((index) => (met[index]?.run === undefined) !== (run === undefined));
    if (other < 0) {
      alone.push(met.length);
      met.push(pair);
      continue;
    }
    const [index = 0] = alone.splice(other, 1);
    met[index] = { run: run ?? met[index]?.run, replay: replay ?? met[index]?.replay };
  }
  return met;
}
