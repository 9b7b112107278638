/** Who may read what a command leaves: what a person trades is its owner's alone, tapes are for whom the umask lets in. */

import { copyFileSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DaemonStage } from '../support/daemon/daemon-stage.ts';
import { streamLines } from '../support/made-stream.ts';
import { SAMPLE_TAPE } from '../support/places.ts';
import { environmentVariable } from '../support/record/recording-stage.ts';
import { builtCommand, startProcess } from '../support/running-command.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const FILES = 0o666;

interface Masked {
  readonly umask: number;
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

function started(args: readonly string[], { umask, ...terms }: Masked) {
  const masked = `umask ${umask.toString(8)}; exec "$@"`;
  return startProcess(['bash', '-c', masked, 'bash', ...builtCommand(args)], terms);
}

async function done(args: readonly string[], masked: Masked): Promise<void> {
  const { code, out, note } = await started(args, masked).ended;
  expect(code, `${args.join(' ')}\n${out}${note}`).toBe(0);
}

/** Modes of all files below a directory, by their names. */
function modesIn(directory: string): Map<string, number> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(files.map((file) => [file.name, statSync(join(file.parentPath, file.name)).mode & 0o777]));
}

const text = (mode: number | undefined) => mode?.toString(8);

describe.each([0o022, 0o007, 0o077])('with the umask %o', (umask) => {
  const shared = text(FILES & ~umask);

  test('tapes that are imported, indexed and split are for whom it lets in', async () => {
    const cwd = temporaryDirectory('modes');
    const masked = { umask, cwd };
    const tape = join(cwd, 'sample.tape');
    copyFileSync(SAMPLE_TAPE, tape);
    mkdirSync(join(cwd, 'raw'));
    writeFileSync(join(cwd, 'raw', 'm.jsonl'), `${streamLines({ updates: 200 }).join('\n')}\n`);
    await done(['import', 'betfair', 'raw', '--tape', 'new/own.tape'], masked);
    expect(text(modesIn(join(cwd, 'new')).get('own.tape'))).toBe(shared);
    await done(['import', 'betfair', 'raw', '--tape', 'new/own.tape', '--overwrite', '--jobs', '2'], masked);
    await done(['tape', 'index', 'new/own.tape'], masked);
    await done(['tape', 'split', tape, '--by', 'event', '--out', 'pieces'], masked);
    for (const directory of ['new', 'pieces'])
      for (const [name, mode] of modesIn(join(cwd, directory))) expect(text(mode), name).toBe(shared);
  });

  test('so are those of `record`, while they are written and at their end', async () => {
    const stage = await DaemonStage.open();
    const { url } = stage.sandbox;
    const [app, key] = ['APP', 'KEY'].map((name) => environmentVariable(`RUN_TEST_${name}`));
    const config = join(stage.directory, 'record.yaml');
    writeFileSync(config, `exchange: { url: "${url}", appId: "${app}", apiKey: "${key}" }\nout: tapes\n`);
    const recorder = started(['record', config], { umask, cwd: stage.directory, env: stage.environment });
    const tapes = join(stage.directory, 'tapes');
    const modes = () => [...modesIn(tapes)].map(([name, mode]) => `${name} ${text(mode)}`);
    // Before, nothing is recorded, and nothing would be left.
    await recorder.until('recording onto');
    const during = modes();
    expect(during.length).toBeGreaterThan(0);
    recorder.kill('SIGTERM');
    expect((await recorder.ended).code).toBe(0);
    expect(modes().length).toBeGreaterThan(0);
    for (const line of [...during, ...modes()]) expect(line).toMatch(new RegExp(` ${shared}$`));
  });

  test('so are those that a run records, and all else of a run is its owner’s alone', async () => {
    const stage = await DaemonStage.open();
    const plotting = join(stage.directory, 'plots.ts');
    writeFileSync(plotting, PLOTTING);
    const config = stage.config({ strategies: [{ file: plotting }], record: true });
    const terms = { umask, cwd: stage.directory, env: stage.environment };
    const daemon = started(['run', config, '--json'], terms);
    await daemon.until('"to":"trading"');
    await expect.poll(() => stage.held().orders).toBeGreaterThan(5);
    const isTape = (name: string) => name.includes('.tape');
    const expectModes = () => {
      const modes = modesIn(stage.dir);
      // The lock has no content.
      modes.delete('journal.sqlite.lock');
      for (const [name, mode] of modes) expect(text(mode), name).toBe(isTape(name) ? shared : '600');
      return [...modes.keys()];
    };
    expect(expectModes()).toEqual(expect.arrayContaining(['journal.sqlite', 'journal.sqlite-wal', 'process.json']));
    daemon.kill('SIGTERM');
    expect((await daemon.ended).code).toBe(0);
    const names = expectModes();
    expect(names.some(isTape)).toBe(true);
    expect(names).toEqual(expect.arrayContaining(['journal.sqlite', 'journal.sqlite.head', 'plots.csv']));
    expect(
      names.some((name) => name.endsWith('.jsonl')),
      'explanations',
    ).toBe(true);
    expect(
      names.some((name) => name.endsWith('.json')),
      'replay file',
    ).toBe(true);
    expect(text(statSync(stage.dir).mode & 0o777)).toBe('700');
  });
});

const PLOTTING = `import { back, defineStrategy } from 'oddsmith';
export default defineStrategy({
  name: 'plots',
  decide({ market, orders, plot }) {
    plot?.({ orders: orders.length });
    const [outcome] = market.outcomes;
    if (!market.tradable || market.inPlay || outcome === undefined || orders.length > 0) return [];
    return [back(outcome, { stake: 2, price: 1000 })];
  },
});
`;
