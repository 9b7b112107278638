/** Plays one trial over the events that its sweep holds out. */

import { OddsmithError } from '../../core/checks/oddsmith-error.ts';
import type { SweepEngine } from '../engine/engine.ts';
import type { TrialStore } from '../store/trial-store.ts';
import type { TrialUnits } from '../unit/trial-inputs.ts';
import { type UnitRow, unpackRow } from '../unit/unit-row.ts';
import { playUnits } from './play-units.ts';
import { UnitCosts } from './unit-costs.ts';

export interface HoldoutParts {
  readonly engine: SweepEngine;
  readonly store: TrialStore;
  readonly signal: AbortSignal;
}

/** The rows of all its units; undefined where it was interrupted. @throws OddsmithError where a unit fails */
export async function playHoldout(
  { engine, store, signal }: HoldoutParts,
  trial: TrialUnits,
): Promise<readonly UnitRow[] | undefined> {
  const units = trial.groups.map((group) => ({ key: trial.keyOf(group), trial, group }));
  const missing = units.filter(({ key }) => store.row(key) === undefined);
  const costs = new UnitCosts();
  let failure: OddsmithError | undefined;
  await playUnits(
    {
      engine,
      store,
      costs,
      signal,
      onUnit: (_unit, error) => {
        if (error !== undefined) failure ??= new OddsmithError(error);
      },
    },
    missing,
  );
  if (failure !== undefined) throw failure;
  const rows = units.flatMap(({ key }): UnitRow[] => {
    const packed = store.row(key);
    const row = packed === undefined ? undefined : unpackRow(packed);
    return row === undefined ? [] : [row];
  });
  return rows.length === units.length ? rows : undefined;
}
