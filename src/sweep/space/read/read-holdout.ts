/** Finds from when on events are kept back from a search. */

import type { LoadedConfig } from '../../../backtest/options/loaded-config.ts';
import { spaceError } from './space-error.ts';
import type { SweepConfig } from './sweep-schema.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z$/;

/** ms UTC; undefined where nothing is kept back. @throws OddsmithError CONFIG_INVALID */
export function readHoldout(loaded: LoadedConfig<SweepConfig>): number | undefined {
  const { holdout } = loaded.value.sweep;
  if (holdout === undefined) return undefined;
  const from = holdoutInstant(holdout.from);
  if (from !== undefined) return from;
  throw spaceError({
    what: `"${holdout.from}" is no date.`,
    where: loaded.where(['sweep', 'holdout', 'from']),
    why: 'Events that start at or after it are kept back, so that it must be exact.',
    next: 'Write a day such as 2026-09-01, or an instant such as 2026-09-01T12:00:00Z.',
  });
}

/** ms UTC; a day that does not exist, such as 2026-02-30, is none. */
export function holdoutInstant(text: string): number | undefined {
  if (!DAY.test(text) && !INSTANT.test(text)) return undefined;
  const at = Date.parse(text);
  const isSame = !Number.isNaN(at) && new Date(at).toISOString().startsWith(text.slice(0, 'YYYY-MM-DD'.length));
  return isSame ? at : undefined;
}
