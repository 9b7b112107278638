/** When a window opens and ends, found the slow way: by asking at every instant that matters what was known until then. */

import type { RecordedDefinition } from '../../src/recording/tape/definition.ts';
import type { WindowPoint, WindowRule } from '../../src/simulator/replay/market-window.ts';

export interface DefinedAt {
  readonly at: number;
  readonly definition: RecordedDefinition;
}

/** Undefined where strategies are never asked; `to` is Infinity where they are to the end. */
export function naiveWindow(
  { from, to }: WindowRule,
  definitions: readonly DefinedAt[],
  firstAt: number,
): { readonly from: number; readonly to: number } | undefined {
  const instants = instantsThatMatter([from, to], definitions, firstAt);
  const isReached = (point: WindowPoint | undefined, now: number) => {
    if (point === undefined) return undefined;
    const base = baseAt(point, definitions, now);
    return base !== undefined && base + point.ms <= now;
  };
  const endedBy = (now: number) => isReached(to, now) === true;
  const opened = instants.find((now) => endedBy(now) || isReached(from, now) !== false);
  if (opened === undefined || endedBy(opened)) return undefined;
  return { from: opened, to: instants.find((now) => now > opened && endedBy(now)) ?? Number.POSITIVE_INFINITY };
}

/** The scheduled start, or the off, as known at an instant. */
function baseAt(point: WindowPoint, definitions: readonly DefinedAt[], now: number): number | undefined {
  const known = definitions.filter(({ at }) => at <= now);
  const current = known.at(-1)?.definition;
  if (point.of === 'start') return current?.expectedStartTime;
  for (const [index, { at, definition }] of known.entries()) {
    if (definition.inPlayStatus === 'InPlay') return at;
    const { expectedStartTime, inPlayStatus } = definition;
    const until = known[index + 1]?.at ?? now;
    if (inPlayStatus === 'NotApplicable' && expectedStartTime !== undefined && expectedStartTime <= until)
      return expectedStartTime;
  }
  return current?.inPlayStatus === 'NotApplicable' ? current.expectedStartTime : undefined;
}

/** The first update, all definitions, and each point counted from whatever it could be counted from. */
function instantsThatMatter(
  points: readonly (WindowPoint | undefined)[],
  definitions: readonly DefinedAt[],
  firstAt: number,
): readonly number[] {
  const bases = definitions.flatMap(({ at, definition }) => [at, definition.expectedStartTime ?? at]);
  const counted = points.flatMap((point) => (point === undefined ? [] : bases.map((base) => base + point.ms)));
  return [firstAt, ...bases, ...counted].filter((at) => at >= firstAt).sort((a, b) => a - b);
}
