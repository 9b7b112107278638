/** Completion of shells: bash asks its script as it does at a terminal; the scripts hold every command, flag and choice that there is. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { everyCommand } from '../../support/every-command.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { run } from '../fake-terminal.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
const folder = temporaryDirectory('completion');
const scripts: Record<string, string> = {};

beforeAll(async () => {
  for (const shell of SHELLS) {
    const { code, out, note } = await run('completion', shell);
    expect({ code, note }).toEqual({ code: 0, note: '' });
    scripts[shell] = out;
    writeFileSync(join(folder, `script.${shell}`), out);
  }
  mkdirSync(join(folder, 'tapes of a year'));
  writeFileSync(join(folder, 'tapes of a year', 'august.tape'), '');
  writeFileSync(join(folder, 'august.yaml'), '');
});

/** What bash offers for the last of these words, in order of name. */
function offered(...words: readonly string[]): readonly string[] {
  const typed = ['oddsmith', ...words].map((word) => `'${word}'`).join(' ');
  const script = `source script.bash
COMP_WORDS=(${typed}); COMP_CWORD=${words.length}
_oddsmith
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr, status } = spawnSync('bash', ['--norc', '--noprofile', '-c', script], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .sort();
}

describe('bash offers', () => {
  test('every command', async () => {
    const names = (await everyCommand()).filter((words) => words.length === 1).map(([name]) => name);
    expect(offered('')).toEqual([...names, 'help'].sort());
  });

  test.each([
    ['commands that begin so', ['re'], ['record', 'report', 'resume']],
    ['commands below a command', ['tape', ''], ['export', 'help', 'index', 'info', 'serve', 'split', 'verify']],
    ['flags of a command', ['tape', 'export', '--f'], ['--format']],
    ['choices of a flag', ['backtest', '--fills', ''], ['all', 'bounds', 'central']],
    ['choices after =', ['backtest', '--fills', '=', 'ce'], ['central']],
    ['choices right after =', ['run', 'x.yaml', '--log-level', '='], ['debug', 'error', 'info', 'warn']],
    ['choices of an argument', ['completion', 'z'], ['zsh']],
    ['files as a configuration', ['backtest', 'au'], ['august.yaml']],
    ['paths for a flag, with blanks in their names', ['backtest', '--tape', 'ta'], ['tapes of a year']],
    ['files in a folder', ['tape', 'info', 'tapes of a year/'], ['tapes of a year/august.tape']],
    ['nothing where anything may stand', ['backtest', '--seed', ''], []],
    ['commands to have help for', ['help', 'back'], ['backtest']],
    ['configurations and commands below', ['sweep', 'to'], ['top']],
  ])('%s', (_what, words, expected) => expect(offered(...words)).toEqual(expected));

  test('files beside the commands below, where both may stand', () => {
    expect(offered('sweep', '')).toEqual(expect.arrayContaining(['august.yaml', 'holdout', 'top']));
  });

  test('what is typed at a terminal, key by key', () => {
    const typed = 'oddsmith backt\\t--fil\\tcen\\t--tape tap\\taug\\t\\n';
    const { stdout, status } = spawnSync('python3', ['-c', AT_A_TERMINAL, typed], {
      cwd: folder,
      encoding: 'utf8',
      timeout: 120_000,
    });
    expect({ stdout, status }).toMatchObject({ status: 0 });
    expect(stdout).toContain('RAN[backtest][--fills][central][--tape][tapes of a year/august.tape]');
  });
});

/** An interactive bash with a terminal of its own, in which `oddsmith` prints its arguments. */
const AT_A_TERMINAL = `
import os, pty, sys, time, select
pid, terminal = pty.fork()
if pid == 0:
    os.execvp('bash', ['bash', '--norc', '--noprofile', '-i'])
def say(text): os.write(terminal, text.encode())
def hear(until, seconds=15):
    heard, end = '', time.time() + seconds
    while until not in heard and time.time() < end:
        if select.select([terminal], [], [], 0.2)[0]: heard += os.read(terminal, 65536).decode(errors='replace')
    return heard
say("PS1='>'; source script.bash; oddsmith() { printf RAN; printf '[%s]' \\"$@\\"; echo; }; echo rea''dy\\n")
hear('ready')
say(sys.argv[1].encode().decode('unicode_escape'))
print(hear('august.tape]'))
say('exit\\n')
os.waitpid(pid, 0)
`;

describe.each(SHELLS)('the script for %s', (shell) => {
  test('names every command and every flag of its help', async () => {
    const script = scripts[shell] ?? '';
    for (const words of [[], ...(await everyCommand())]) {
      for (const word of words) expect(script).toContain(word);
      const { out } = await run(...words, '--help');
      const flags = [...out.matchAll(/^ {2}(?:-\w, )?--([\w-]+)/gm)].map(([, name = '']) => name);
      expect(flags.length, words.join(' ')).toBeGreaterThan(0);
      for (const flag of flags)
        expect(script, `${words.join(' ')} --${flag}`).toContain(shell === 'fish' ? `-l ${flag} ` : `--${flag}`);
    }
  });

  test('is read by the shell without a complaint, where that is installed', () => {
    const isHere = spawnSync(shell, ['-c', ':']).error === undefined;
    const flag = shell === 'fish' ? '--no-execute' : '-n';
    const read = isHere ? spawnSync(shell, [flag, join(folder, `script.${shell}`)], { encoding: 'utf8' }) : undefined;
    if (shell === 'bash') expect(read).toBeDefined();
    expect(read?.stderr ?? '').toBe('');
  });
});

test('another shell is told of with those that there are', async () => {
  const { code, note } = await run('completion', 'tcsh');
  expect(code).toBe(2);
  expect(note).toContain('bash, zsh, fish');
});
