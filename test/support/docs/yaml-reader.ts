/** Whether a block of YAML is a configuration, or a part of one that a reader of configurations takes. */

import { loadSweep } from '../../../src/app/config/resolve/load-sweep.ts';
import { resolveRecord } from '../../../src/app/config/resolve/resolve-record.ts';
import { resolveRun } from '../../../src/app/config/resolve/resolve-run.ts';
import { parseConfig } from '../../../src/app/config/yaml/yaml-config.ts';
import { BacktestConfigSchema } from '../../../src/backtest/options/backtest-schema.ts';
import { resolveBacktest } from '../../../src/backtest/options/resolve-backtest.ts';
import { OddsmithError } from '../../../src/core/checks/oddsmith-error.ts';
import { FIGURES } from '../../../src/sweep/result/figures.ts';
import { temporaryFile } from '../temporary-directory.ts';

const STRATEGIES = 'strategies: [{ file: strategies/favourite-scalp.ts }]\n';
const TAPES = 'tapes: [backtest/sample.tape]\n';
const EXCHANGE = 'exchange: { url: http://127.0.0.1:8640, appId: a, apiKey: k }\n';
const SPACE = '  space: { params.take: { values: [1, 2] } }\n';

/** What each reader refuses of it; undefined where one of them takes it. What is needed beside a part is added to it. */
export async function readersRefuse(yaml: string): Promise<string | undefined> {
  const has = (key: string) => new RegExp(`^${key}:`, 'm').test(yaml);
  const headOf = (...parts: readonly string[]) => parts.filter((part) => !has(part.split(':')[0] ?? '')).join('');
  const environment = Object.fromEntries(
    [...yaml.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => [
      name,
      name.endsWith('URL') ? 'https://service.example.org/x' : '-100123456',
    ]),
  );
  const file = 'block.yaml';
  const forRun = { text: headOf(EXCHANGE, STRATEGIES) + yaml, file };
  const readers = has('sweep')
    ? {
        sweep: () =>
          loadSweep(temporaryFile(file, `${headOf(STRATEGIES, TAPES)}${withSpace(yaml)}`), Object.keys(FIGURES)),
      }
    : {
        backtest: () => {
          const read = parseConfig(headOf(STRATEGIES, TAPES) + yaml, file, BacktestConfigSchema);
          return resolveBacktest(read, { strategies: [], tapes: [], params: {} });
        },
        run: () => resolveRun(forRun, environment, has('paper') || !has('wallets') ? 'paper' : 'live'),
        record: () => resolveRecord({ text: headOf(EXCHANGE) + yaml, file }, environment),
      };
  const refused: string[] = [];
  for (const [name, read] of Object.entries(readers)) {
    try {
      await read();
      return undefined;
    } catch (error) {
      if (!(error instanceof OddsmithError)) throw error;
      refused.push(`as a ${name}: ${error.message}`);
    }
  }
  return refused.join('\n');
}

/** A sweep of which a page shows one key alone has something to vary all the same. */
function withSpace(yaml: string): string {
  return yaml.includes('space:') ? yaml : yaml.replace(/^sweep:\n/m, `sweep:\n${SPACE}`);
}
