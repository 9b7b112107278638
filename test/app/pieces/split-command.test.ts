/** `tape split` at the command line. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SAMPLE_TAPE } from '../../support/places.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { run, runUntil } from '../fake-terminal.ts';

test('tape split makes missing directories, tells what it wrote, and finds it again', async () => {
  const out = join(temporaryDirectory('split'), 'below', 'pieces');
  const first = await run('tape', 'split', SAMPLE_TAPE, '--by', 'event', '--out', out, '--json');
  expect(first.code).toBe(0);
  const { command, wasThere, pieces, ...told } = JSON.parse(first.out);
  expect({ command, wasThere }).toEqual({ command: 'tape split', wasThere: false });
  expect(JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8'))).toMatchObject({ pieces, tape: told.tape });
  const again = await run('tape', 'split', SAMPLE_TAPE, '--by', 'event', '--out', out);
  expect(again.out).toMatch(/: 7 pieces by event, 14 markets, 37,157 updates, \d+ kB\n.*\nthey were there already/s);
});

test('tape split that is interrupted leaves nothing and exits with 130', async () => {
  const folder = temporaryDirectory('split');
  const interrupt = new AbortController();
  const splitting = runUntil(interrupt.signal, [
    ...['tape', 'split', SAMPLE_TAPE, '--by', 'event'],
    ...['--out', join(folder, 'pieces')],
  ]);
  interrupt.abort('SIGINT');
  expect(await splitting).toEqual({ code: 130, out: '', note: 'interrupted: nothing was written\n' });
  expect(readdirSync(folder)).toEqual([]);
});
