/** `oddsmith sweep export`: the trials of a sweep, or their markets, as CSV or Parquet. */

import type { Column } from '../../result/columns/column.ts';
import { csv } from '../../result/columns/csv.ts';
import {
  marketTable,
  type TableColumn,
  type TableRow,
  type TrialTable,
  trialTable,
} from '../../sweep/result/trial-table.ts';
import { CliError } from '../cli/cli-error.ts';
import type { CommandContext } from '../cli/command-context.ts';
import { NotReplaceable, replaceFile } from '../cli/replace-file.ts';
import { latestOf, openStore } from './open-sweep.ts';

export interface ExportChoices {
  readonly rows: 'trials' | 'markets';
  readonly csv: string | undefined;
  readonly parquet: string | undefined;
}

/** Trials and their order are those of the configuration that was played last. @throws OddsmithError SWEEP_… */
export async function exportSweep(context: CommandContext, directory: string, choices: ExportChoices): Promise<void> {
  if (choices.csv === undefined && choices.parquet === undefined) {
    throw new CliError({
      code: 'USAGE',
      what: 'No file was named to write to.',
      next: 'Pass --csv FILE, --parquet FILE, or both.',
    });
  }
  using opened = openStore(directory);
  const { store } = opened;
  const { id } = latestOf(directory, store);
  const table = choices.rows === 'trials' ? trialTable(store, id) : marketTable(store, id);
  if (choices.csv !== undefined) written(choices.csv, () => replaceFile(choices.csv ?? '', csvOf(table)));
  if (choices.parquet !== undefined) await writeParquet(choices.parquet, table);
  const files = [choices.csv, choices.parquet].filter((file) => file !== undefined);
  context.terminal.note(`Written: ${files.join(', ')}\n`);
}

function csvOf({ columns, rows }: TrialTable): Iterable<string> {
  return csv(columns.map(columnOf), rows);
}

function columnOf({ name, kind }: TableColumn, index: number): Column<TableRow> {
  if (kind === 'text') return { name, about: '', kind, of: (row) => cellText(row[index]) };
  return { name, about: '', kind, of: (row) => numberOf(row[index]) };
}

function cellText(cell: TableRow[number]): string | undefined {
  return cell === undefined ? undefined : String(cell);
}

function numberOf(cell: TableRow[number]): number | undefined {
  return typeof cell === 'number' ? cell : undefined;
}

/** Values of the space are numbers where all of them are. */
async function writeParquet(filename: string, { columns, rows }: TrialTable): Promise<void> {
  const { parquetWriteFile } = await import('hyparquet-writer');
  const all = [...rows];
  const columnData = columns.map(({ name, kind }, index) => {
    const cells = all.map((row) => row[index]);
    const isNumeric = kind !== 'text' || cells.every((cell) => typeof cell === 'number');
    if (kind === 'time') return { name, data: cells.map(dateOf), type: 'TIMESTAMP', nullable: true } as const;
    if (isNumeric) return { name, data: cells.map((cell) => cell ?? null), type: 'DOUBLE', nullable: true } as const;
    return { name, data: cells.map((cell) => cellText(cell) ?? null), type: 'STRING', nullable: true } as const;
  });
  written(filename, () => parquetWriteFile({ filename, columnData }));
}

function dateOf(cell: TableRow[number]): Date | null {
  return typeof cell === 'number' ? new Date(cell) : null;
}

function written(file: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof NotReplaceable) && !(error instanceof Error && 'code' in error)) throw error;
    throw new CliError({
      code: 'FILE_NOT_WRITABLE',
      what: 'The file cannot be written.',
      where: file,
      why: error.message,
      next: 'Name another file.',
    });
  }
}
