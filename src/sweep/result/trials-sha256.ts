/** The hash of a sweep's trials: it says that two sweeps computed the same, whatever played them. */

import { createHash } from 'node:crypto';
import { canonical } from '../../core/collections/canonical.ts';
import type { TrialStore } from '../store/trial-store.ts';

/** SHA-256 over the trials in order of number: what each assigns, and the rows of its units in the order of the event groups. */
export function trialsSha256(store: TrialStore, configuration: number): string {
  const failures = store.failures();
  const hash = createHash('sha256');
  for (const { number, assignment, keys } of store.trials(configuration)) {
    hash.update(`${number} ${canonical(assignment)} ${keys.length}\n`);
    for (const key of keys) hash.update(store.row(key) ?? `${failures.get(key)?.error.code ?? 'missing'}\n`);
  }
  return hash.digest('hex');
}
