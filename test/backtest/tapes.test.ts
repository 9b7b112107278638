/** Tapes and recordings as a program reads and imports them through `oddsmith/backtest`. */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  AbortedError,
  backtest,
  FaultyFilesError,
  type ImportProgress,
  importRecordings,
  OddsmithError,
  openTape,
} from 'oddsmith/backtest';
import { describe, expect, test } from 'vitest';
import { Tape } from '../../src/recording/tape/tape.ts';
import { run, runIn } from '../app/fake-terminal.ts';
import { ROOT, SAMPLE_TAPE } from '../support/places.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { thrownBy } from '../support/thrown-by.ts';

const directory = temporaryDirectory('tapes');

describe('openTape', () => {
  test('gives what the command exports: markets, definitions and updates', async () => {
    const tape = openTape(SAMPLE_TAPE);
    const small = [...tape.markets].sort((a, b) => a.updates - b.updates)[0] ?? expect.fail('the sample has markets');
    const exported = (await run('tape', 'export', SAMPLE_TAPE, '--market', small.id)).out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const updates = [...tape.updates(small.id)];
    expect(updates).toHaveLength(small.updates);
    const iso = (at: number): string => new Date(at).toISOString();
    const written = exported
      .filter(({ kind }) => kind === 'update')
      .map(({ sequence, publishedAt, events }) => ({ sequence, publishedAt, events }));
    expect(
      updates.map(({ sequence, publishedAt, events }) => ({ sequence, publishedAt: iso(publishedAt), events })),
    ).toEqual(written);
    expect(tape.definitions(small.id)[0]).toMatchObject({ status: 'Initializing' });
    expect(tape.market(small.id)).toBe(tape.markets.find(({ id }) => id === small.id));
    tape.close();
  });

  test('walks several markets by time, within times', () => {
    const tape = openTape(SAMPLE_TAPE);
    const [a, b] = tape.markets;
    if (a === undefined || b === undefined) expect.fail('the sample has markets');
    const times = [...tape.updates([a.id, b.id])].map(({ publishedAt }) => publishedAt);
    expect(times).toHaveLength(a.updates + b.updates);
    expect(times).toEqual([...times].sort((x, y) => x - y));
    const [from, to] = [times[100] ?? 0, times[200] ?? 0];
    const within = [...tape.updates([a.id, b.id], { from, to })].map(({ publishedAt }) => publishedAt);
    expect(within).toEqual(times.filter((at) => at >= from && at < to));
    expect([...tape.updates()]).toHaveLength(tape.markets.reduce((sum, { updates }) => sum + updates, 0));
    tape.close();
  });

  test('says what is wrong with a tape, a market, or a tape that was closed', () => {
    expect(thrownBy(OddsmithError, () => openTape('none.tape'))).toMatchObject({
      code: 'TAPE_NOT_FOUND',
      where: 'none.tape',
    });
    expect(thrownBy(OddsmithError, () => openTape(join(ROOT, 'package.json'))).code).toBe('NOT_A_TAPE');
    const tape = openTape(SAMPLE_TAPE);
    expect(thrownBy(OddsmithError, () => tape.market('9900010'))).toMatchObject({
      code: 'NO_MARKETS',
      where: SAMPLE_TAPE,
    });
    const updates = tape.updates();
    updates.next();
    tape.close();
    tape.close();
    expect(thrownBy(OddsmithError, () => updates.next()).code).toBe('TAPE_CLOSED');
    expect(thrownBy(OddsmithError, () => tape.definitions(tape.markets[0]?.id ?? '')).code).toBe('TAPE_CLOSED');
  });
});

/** A recording of some lines, the market's definition first. */
function recording(file: string, id: string, lines: number): string {
  const runners = [1, 2].map((runner) => ({ id: runner, status: 'ACTIVE', sortPriority: runner }));
  const definition = {
    ...{ marketType: 'WIN', eventId: '9', status: 'OPEN', inPlay: false, bettingType: 'ODDS', betDelay: 0 },
    ...{ numberOfWinners: 1, marketBaseRate: 5, persistenceEnabled: true, marketTime: '2026-03-14T12:00:00.000Z' },
    ...{ suspendTime: '2026-03-14T12:00:00.000Z', bspMarket: false, turnInPlayEnabled: true, crossMatching: false },
    ...{ runnersVoidable: false, complete: true, numberOfActiveRunners: 2, timezone: 'GMT', regulators: ['x'] },
    ...{ discountAllowed: true, openDate: '2026-03-14T12:00:00.000Z', version: 1, bspReconciled: false, runners },
  };
  const text = Array.from({ length: lines }, (_, i) => {
    const change =
      i === 0 ? { marketDefinition: definition } : { rc: [{ id: 1, batb: [[0, 2 + (i % 5) / 10, 10 + i]] }] };
    return JSON.stringify({ op: 'mcm', pt: 1_773_480_000_000 + 1_000 * i, mc: [{ id, ...change }] });
  });
  const made = join(directory, file);
  writeFileSync(made, `${text.join('\n')}\n`);
  return made;
}

describe('importRecordings', () => {
  test.each([1, 2])('makes the tape that the command makes, with jobs %i', async (jobs) => {
    const files = [recording('a', '1.100', 200), recording('b', '1.200', 300)];
    const [out, other] = [join(directory, `library-${jobs}.tape`), join(directory, `command-${jobs}.tape`)];
    const seen: ImportProgress[] = [];
    const report = await importRecordings({ files, out, jobs, onProgress: (progress) => seen.push(progress) });
    const { code } = await run('import', 'betfair', ...files, '--tape', other);
    expect(code).toBe(0);
    const [made, same] = [Tape.open(out), Tape.open(other)];
    expect(made.sha256).toBe(same.sha256);
    expect(report).toMatchObject({ markets: 2, sha256: made.sha256, interrupted: false });
    made.close();
    same.close();
    const parts = seen.map(({ part }) => part);
    expect(parts).toEqual([...parts].sort((x, y) => x - y));
    expect(seen.at(-1)).toMatchObject({ part: 1, filesDone: 2, files: 2 });
  });

  test('says what it did, and what is on the tape, within 80 columns', async () => {
    const files = [recording('d', '1.400', 1_200), recording('e', '1.500', 20)];
    const out = join(directory, 'narrow.tape');
    const imported = await runIn(80, 'import', 'betfair', ...files, '--tape', out);
    expect(imported.out).toContain(
      `\nmarkets  updates  file\n      1    1,200  ${files[0]}\n      1       20  ${files[1]}\n`.slice(1),
    );
    expect(imported.out).toContain(`\n${out}\n  markets    2\n  updates    1,220 of 1,220 read\n`);
    const shown = await runIn(80, 'tape', 'info', out);
    expect(shown.out).toContain('\n      2 outcomes  1,200 updates  silent 1.0 s from 14 Mar 09:20  WIN\n');
    expect(shown.out).toContain('\n      2 outcomes     20 updates  silent 1.0 s from 14 Mar 09:20  WIN\n');
    const sample = await runIn(80, 'tape', 'info', SAMPLE_TAPE);
    for (const text of [imported.out.replaceAll(directory, ''), shown.out.replaceAll(directory, ''), sample.out])
      expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80);
  });

  test('names no silence of a market with one update', async () => {
    const out = join(directory, 'single.tape');
    await importRecordings({ files: [recording('g', '1.470', 1)], out });
    expect((await runIn(80, 'tape', 'info', out)).out).toContain('\n      2 outcomes  1 updates  WIN\n');
  });

  test('is in no currency that nobody named', async () => {
    const out = join(directory, 'units.tape');
    await importRecordings({ files: [recording('f', '1.450', 20)], out });
    const strategy = { file: join(ROOT, 'strategies/favourite-scalp.ts') };
    const currencyOf = async (tape: string, wallet?: { readonly currency: string }): Promise<string> => {
      const { summary } = await backtest({ tape, strategies: [strategy], wallet });
      expect(summary.wallets.map(({ currency }) => currency)).toEqual([summary.currency]);
      return summary.currency;
    };
    expect(await currencyOf(out)).toBe('units');
    expect(await currencyOf(out, { currency: 'GBP' })).toBe('GBP');
  });

  test('says what is wrong, and leaves nothing', async () => {
    const file = recording('c', '1.300', 20);
    const out = join(directory, 'none', 'x.tape');
    const failed = async (options: Parameters<typeof importRecordings>[0]): Promise<OddsmithError> => {
      const error: unknown = await importRecordings(options).catch((thrown: unknown) => thrown);
      return error instanceof OddsmithError ? error : expect.fail(String(error));
    };
    expect((await failed({ files: [file], out })).code).toMatch(/^TAPE_/);
    const empty = join(directory, 'empty');
    mkdirSync(empty);
    expect(await failed({ files: [empty], out: join(directory, 'x.tape') })).toMatchObject({
      code: 'FILE_NOT_FOUND',
      where: empty,
    });
    expect(await failed({ files: [file], out: join(directory, 'x.tape'), jobs: 0 })).toMatchObject({
      code: 'CONFIG_INVALID',
      where: 'jobs',
    });
    const there = join(directory, 'there.tape');
    await importRecordings({ files: [file], out: there });
    expect(await failed({ files: [file], out: there })).toMatchObject({ code: 'TAPE_EXISTS', where: there });
    writeFileSync(join(directory, 'text'), 'no recording\n');
    expect((await failed({ files: [join(directory, 'text')], out: join(directory, 'y.tape') })).where).toContain(
      'text',
    );
    expect(existsSync(join(directory, 'y.tape'))).toBe(false);
  });

  test('leaves out a damaged file, keeps the others, and says both', async () => {
    const bad = join(directory, 'bad');
    writeFileSync(bad, 'no recording\n');
    const files = [recording('whole', '1.600', 50), bad, recording('after', '1.700', 60)];
    const out = join(directory, 'others.tape');
    const error: unknown = await importRecordings({ files, out }).catch((thrown: unknown) => thrown);
    if (!(error instanceof FaultyFilesError)) expect.fail(String(error));
    expect([error.code, error.report.faulty, error.report.markets]).toEqual(['NOT_A_RECORDING', 1, 2]);
    using tape = openTape(out);
    expect(tape.markets.map(({ id }) => id)).toEqual(['1.600', '1.700']);
    const kept = await importRecordings({ files, out, mode: 'overwrite', onError: 'skip' });
    expect(kept).toMatchObject({ faulty: 1, markets: 2 });
  });

  test('that is aborted keeps the files that are done, or none', async () => {
    const [short, long] = [recording('d', '1.400', 50), recording('e', '1.500', 4_000)];
    for (const [files, kept] of [
      [[short, long], 1],
      [[long, short], 0],
    ] as const) {
      const out = join(directory, `aborted-${kept}.tape`);
      const abort = new AbortController();
      const onProgress = ({ filesDone }: ImportProgress): void => {
        if (filesDone >= kept) abort.abort();
      };
      const error: unknown = await importRecordings({ files, out, signal: abort.signal, onProgress }).catch(
        (thrown: unknown) => thrown,
      );
      if (!(error instanceof AbortedError)) expect.fail(String(error));
      expect(existsSync(out)).toBe(kept > 0);
      if (kept > 0) expect(error.partial).toMatchObject({ markets: kept, interrupted: true });
      else expect(error.partial).toBeUndefined();
    }
  });
});
