/** `oddsmith parity RUN_DIR --fit-cancellations`, from the directory of a run to what is printed. */

import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { RUN_FILE } from '../../../src/app/run/run-file.ts';
import { openRunJournal } from '../../../src/journal/open-run-journal.ts';
import { PAPER, type PaperRun, paperRun } from '../../support/paper/paper-run.ts';
import { passive } from '../../support/paper/strategies.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { run, runUntil } from '../fake-terminal.ts';

let directory: string;

beforeAll(() => {
  directory = temporaryDirectory('fit');
  const startAt = Date.UTC(2026, 10, 20, 12);
  const made = paperRun({ seed: 3, markets: 3, lengthMs: 20_000, startAt, plugins: [passive('a')] });
  keep(made);
  rmSync(made.directory, { recursive: true });
});

/** As a daemon leaves it; its description is one of an older version, and its strategy's file is gone. */
function keep({ records, tapes }: PaperRun): void {
  const journal = openRunJournal({ file: join(directory, 'journal.sqlite'), run: 'r1', acceptCorrupt: false });
  for (const { at, record } of records) journal.append(at, record);
  journal.commit();
  journal.close();
  mkdirSync(join(directory, 'tapes'));
  for (const { path } of tapes) cpSync(path, join(directory, 'tapes', basename(path)));
  const { refill: _unknown, ...fillRules } = PAPER.fillRules;
  const strategies = [{ name: 'a', file: 'gone.ts', params: {}, sha256: '', wallet: 'main' }];
  const { wallets: _wallets, ...paper } = PAPER;
  const older = { ...{ format: 1, version: '0.1.0', mode: 'paper', intentsMax: 100, limits: {} }, ...paper };
  writeFileSync(
    join(directory, RUN_FILE),
    JSON.stringify({ ...older, fillRules, strategies, wallets: [{ name: 'main', currency: 'X', balance: 1e9 }] }),
  );
}

describe('parity --fit-cancellations', () => {
  test('says in a table that few orders name no model, and what to do next', async () => {
    const { code, out, note } = await run('parity', directory, '--fit-cancellations');
    expect({ code, note }).toMatchObject({ code: 0 });
    expect(out).toMatch(/beside the fills of a paper run/);
    expect(out).toMatch(/too few orders for a result/);
    expect(out).toMatch(
      /next: fit a live run\. The simulated exchange of this run filled by pro-rata \(central fills\)/,
    );
  });

  test('prints one object with --json', async () => {
    const { code, out } = await run('parity', directory, '--fit-cancellations', '--json');
    expect(code).toBe(0);
    const fit = JSON.parse(out);
    expect(fit).toMatchObject({ command: 'parity', fit: 'cancellations', mode: 'paper', verdict: { kind: 'tooFew' } });
    expect(fit.models).toHaveLength(19);
    // The model by which its simulated exchange filled it.
    expect(fit.models.find(({ model }: { model: unknown }) => model === 'pro-rata').error).toBe(0);
    expect(fit.compared).toBeGreaterThan(0);
    expect(fit.rested).toBe(fit.compared + Object.values<number>(fit.leftOut).reduce((a, b) => a + b, 0));
  });

  test('says nothing when it is interrupted', async () => {
    const { code, out, note } = await runUntil(AbortSignal.abort('SIGINT'), [
      'parity',
      directory,
      '--fit-cancellations',
    ]);
    expect({ code, out }).toEqual({ code: 130, out: '' });
    expect(note).toContain('nothing was fitted');
  });

  test('exits with 5 where there is no run', async () => {
    const { code, note } = await run('parity', join(directory, 'tapes'), '--fit-cancellations');
    expect(code).toBe(5);
    expect(note).toContain('RUN_NOT_FOUND');
  });
});
