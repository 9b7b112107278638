/** Reads the backtest configuration that the user named. */

import { type BacktestConfig, BacktestConfigSchema } from '../../../backtest/options/backtest-schema.ts';
import { defaultConfig } from '../../../backtest/options/default-config.ts';
import type { LoadedConfig } from '../../../backtest/options/loaded-config.ts';
import { readConfigFile } from '../yaml/config-file.ts';
import { ofKind } from '../yaml/config-kind.ts';

/** The configuration of the file, or the defaults if none is named. The code that reads and validates a file takes as long to load as a short backtest. */
export async function loadBacktest(path: string | undefined): Promise<LoadedConfig<BacktestConfig>> {
  if (path === undefined) return defaultConfig(BacktestConfigSchema);
  const text = readConfigFile(path);
  const { parseConfig } = await import('../yaml/yaml-config.ts');
  return ofKind('backtest', { text, file: path }, () => parseConfig(text, path, BacktestConfigSchema));
}
