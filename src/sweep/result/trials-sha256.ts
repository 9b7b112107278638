/** The hash of a sweep's trials: it says that two sweeps computed the same, whatever played them. */

import { createHash } from 'node:crypto';
import { canonical } from '../../core/collections/canonical.ts';
import type { TrialStore } from '../store/trial-store.ts';

/**
 * SHA-256 over the trials in order of number: what each assigns, and the rows of its units in the order of the event groups; then, of each
 * fold that has a search of its own, the trial that it chose and the rows out of sample.
 */
export function trialsSha256(store: TrialStore, configuration: number): string {
  const hash = createHash('sha256');
  const addRows = (keys: readonly string[]): void => {
    for (const key of keys) hash.update(store.row(key) ?? `${store.failure(key)?.error.code ?? 'missing'}\n`);
  };
  for (const { number, assignment, keys, fold } of store.trials(configuration)) {
    hash.update(`${number} ${canonical(assignment)} ${keys.length}${fold === undefined ? '' : ` fold ${fold}`}\n`);
    addRows(keys);
  }
  for (const { fold, trial, keys } of store.folds(configuration)) {
    hash.update(`fold ${fold} ${trial ?? 'none'} ${keys.length}\n`);
    addRows(keys);
  }
  return hash.digest('hex');
}
