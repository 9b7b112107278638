/** Writes what a run leaves behind: result.json, orders.csv, fills.csv and report.html in a directory of its own. */

import { createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fillsCsv, ordersCsv } from '../report/csv.ts';
import { type ChartLibrary, htmlReport } from '../report/html.ts';
import type { BacktestResult } from '../report/result.ts';
import { backtestJson } from '../report/result-json.ts';
import { CliError } from './cli-error.ts';
import { makeDirectory } from './out-directory.ts';

export const OTHER_DIRECTORY = 'Name another directory with --out.';

/** The directory's name is made of the seed and the transcript: the same run writes to the same place. */
export async function writeRunFiles(result: BacktestResult, out: string, prefix: string): Promise<string> {
  const directory = join(out, `${prefix}-${result.seed}-${result.transcriptSha256.slice(0, 10)}`);
  makeDirectory(directory, OTHER_DIRECTORY);
  try {
    writeFileSync(join(directory, 'result.json'), `${backtestJson(result)}\n`);
    writeFileSync(join(directory, 'report.html'), htmlReport(result, chartLibrary()));
    await pipeline(Readable.from(ordersCsv(result.orderRows)), createWriteStream(join(directory, 'orders.csv')));
    await pipeline(Readable.from(fillsCsv(result.fillRows)), createWriteStream(join(directory, 'fills.csv')));
  } catch (error) {
    throw new CliError({
      code: 'FILE_NOT_WRITABLE',
      what: 'The run could not be written.',
      where: directory,
      why: error instanceof Error ? error.message : String(error),
      next: OTHER_DIRECTORY,
    });
  }
  return directory;
}

/** uplot's own files, put into the page so that it needs no network. */
export function chartLibrary(): ChartLibrary {
  const require = createRequire(import.meta.url);
  const text = (file: string): string => readFileSync(require.resolve(`uplot/dist/${file}`), 'utf8');
  return { script: text('uPlot.iife.min.js'), style: text('uPlot.min.css') };
}
