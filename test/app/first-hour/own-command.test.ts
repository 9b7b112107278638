/** Commands that are printed can be run from where the user is. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asOwnCommand, COMMAND_NAMES, ownCommand } from '../../../src/app/cli/own-command.ts';
import { everyCommand } from '../../support/every-command.ts';
import { ROOT } from '../../support/places.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { run } from '../fake-terminal.ts';

const project = temporaryDirectory('project');
const installed = join(project, 'node_modules/oddsmith');
mkdirSync(join(installed, 'dist'), { recursive: true });
writeFileSync(join(installed, 'package.json'), '{}');

test.each([
  ['in the repository', { directory: ROOT, cwd: ROOT }, 'npm run -s oddsmith --'],
  ['below it', { directory: ROOT, cwd: join(ROOT, 'docs') }, 'npm run -s oddsmith --'],
  ['linked from elsewhere', { directory: ROOT, cwd: project }, 'oddsmith'],
  ['in a project', { directory: installed, cwd: project }, 'npx oddsmith'],
  ['in a folder of a project', { directory: installed, cwd: join(project, 'strategies') }, 'npx oddsmith'],
  ['installed for all', { directory: '/usr/lib/node_modules/oddsmith', cwd: project }, 'oddsmith'],
  ['from the cache of npx', { directory: '/opt/npm/_npx/1a/node_modules/oddsmith', cwd: project }, 'npx oddsmith'],
])('%s', (_where, whereabouts, command) => expect(ownCommand(whereabouts)).toBe(command));

test('the demo says what to do next from here', async () => {
  const { note } = await run('demo', '--out', temporaryDirectory('demo'));
  expect(note).toContain('npm run -s oddsmith -- init ../my-bot');
  expect(note).toMatch(
    /npm run -s oddsmith -- backtest --param stake=2 \\\n +--strategy strategies\/\S+ \\\n +--tape backtest\/sample\.tape\n/,
  );
});

test('a sentence with commands in it has them as they can be pasted, and says of oddsmith what it said', () => {
  const said =
    'Start oddsmith run, or `oddsmith tape info X`: oddsmith was started in npx oddsmith and node_modules/oddsmith run; see oddsmith --help.';
  expect(asOwnCommand(said, 'npx oddsmith')).toBe(
    'Start npx oddsmith run, or `npx oddsmith tape info X`: oddsmith was started in npx oddsmith and node_modules/oddsmith run; see npx oddsmith --help.',
  );
});

test('documents are named where they lie: in errors, in help, and where codes are explained', async () => {
  const document = (name: string): string => join(ROOT, 'docs', name);
  const cwd = process.cwd();
  process.chdir(project);
  const explained = (await run('explain', 'LIMIT_ORDER')).out;
  const help = (await run('run', '--help')).out;
  const { note } = await run('explain', 'NO_SUCH_CODE');
  process.chdir(cwd);
  expect(explained).toContain(`more   ${document('operations.md')}, "Refusals"`);
  expect(help.replaceAll(/\s+/g, '')).toContain(`See${document('operations.md')}.`);
  expect(note).toContain(`${document('errors.md')} and ${document('operations.md')} list all of them.`);
  expect((await run('explain', 'LIMIT_ORDER')).out).toContain('more   docs/operations.md, "Refusals"');
});

test('the names that make a command of a sentence are those of the command line', async () => {
  const names = new Set((await everyCommand()).map(([name]) => name));
  expect([...COMMAND_NAMES].sort()).toEqual([...names, 'help'].sort());
});
