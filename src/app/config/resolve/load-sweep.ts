/** Reads the configuration of a sweep that the user named. */

import { SweepConfigSchema } from '../../../sweep/space/read/sweep-schema.ts';
import { type SweepPlan, sweepPlan } from '../../../sweep/sweep-plan.ts';
import { readConfigFile } from '../yaml/config-file.ts';
import { ofKind } from '../yaml/config-kind.ts';
import { parseConfig } from '../yaml/yaml-config.ts';

/** `figures` are the names of what can be an objective. @throws OddsmithError CONFIG_… and STRATEGY_… */
export async function loadSweep(path: string, figures: readonly string[]): Promise<SweepPlan> {
  const text = readConfigFile(path);
  const loaded = ofKind('sweep', { text, file: path }, () => parseConfig(text, path, SweepConfigSchema));
  return sweepPlan(loaded, { file: path, figures });
}
