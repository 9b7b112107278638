/** Reads the window of the configuration: `-10m` counts from the scheduled start, `off` and `+5m` from the off. */

import { OddsmithError } from '../../core/checks/oddsmith-error.ts';
import type { WindowPoint, WindowRule } from '../../simulator/replay/market-window.ts';
import { durationText } from '../../words/numbers.ts';
import type { ConfigErrorCode } from './loaded-config.ts';

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** The schema has judged the words. `where` names the window in errors. */
export function windowOf(
  window: { readonly from?: string | undefined; readonly to?: string | undefined } | undefined,
  where: () => string,
): WindowRule | undefined {
  if (window === undefined) return undefined;
  const [from, to] = [pointOf(window.from), pointOf(window.to)];
  if (from === undefined && to === undefined) return undefined;
  if (from !== undefined && to !== undefined && endsFirst(from, to)) {
    throw new OddsmithError<ConfigErrorCode>({
      code: 'CONFIG_INVALID',
      what: `The window ends (${window.to}) before it begins (${window.from}).`,
      where: where(),
      why: 'A time with a minus counts from the scheduled start; off and a time with a plus count from the off.',
      next: 'Let it begin before it ends: { from: -10m, to: off }.',
    });
  }
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

function endsFirst(from: WindowPoint, to: WindowPoint): boolean {
  return from.of === to.of ? from.ms >= to.ms : from.of === 'off';
}

function pointOf(words: string | undefined): WindowPoint | undefined {
  if (words === undefined || words === 'end') return undefined;
  if (words === 'off') return { of: 'off', ms: 0 };
  const [unit, unitMs] = Object.entries(UNIT_MS).find(([each]) => words.endsWith(each)) ?? ['', 1];
  const ms = Math.round(Number(words.slice(0, words.length - unit.length)) * unitMs);
  return words.startsWith('-') ? { of: 'start', ms } : { of: 'off', ms };
}

/** The window in the words of the configuration. */
export function windowText({ from, to }: WindowRule): string {
  return `from ${from === undefined ? 'the first update' : pointText(from)} to ${to === undefined ? 'the end' : pointText(to)}`;
}

function pointText({ of, ms }: WindowPoint): string {
  if (of === 'off' && ms === 0) return 'the off';
  const span = Math.abs(ms);
  const words = span % UNIT_MS.m === 0 ? `${span / UNIT_MS.m} min` : durationText(span);
  return `${words} ${of === 'start' ? 'before the scheduled start' : 'after the off'}`;
}
