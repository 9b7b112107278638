/** A Node that is too old: one error block before anything is loaded that it could not run. */

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { transform } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { CLI_ERRORS, errorBlock, errorJson } from '../../src/app/cli/cli-error.ts';
import { NODE_FLOOR, nodeRefusal } from '../../src/app/node-check.ts';
import { builtMain } from '../support/built-command.ts';
import { ROOT } from '../support/places.ts';

const built = dirname(builtMain());

function refusal(version: string) {
  const json = nodeRefusal(version, true) ?? expect.fail(`Node ${version} was not refused`);
  return { json, parts: JSON.parse(json).error };
}

/** The first Node of the path that is too old, with the project's own left out; undefined where there is none. */
function oldNode(): string | undefined {
  const directories = (process.env['PATH'] ?? '').split(delimiter).filter((path) => !path.includes('node_modules'));
  const nodes = directories.map((path) => join(path, 'node')).filter((path) => existsSync(path));
  return nodes.find((node) => {
    const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
    return nodeRefusal(stdout.trim().replace(/^v/, ''), false) !== undefined;
  });
}

describe('the check of Node', () => {
  test.each(['0.12.18', '12.22.12', '20.20.2', '22.14.0', '23.7.0'])('refuses %s', (version) => {
    const { parts, json } = refusal(version);
    expect(parts).toMatchObject({ code: 'NODE_TOO_OLD', where: process.execPath });
    expect(parts.what).toContain(version);
    // The same words as every other error, though the check may not import them.
    expect(nodeRefusal(version, false)).toBe(errorBlock(parts));
    expect(json).toBe(errorJson(parts));
    expect(CLI_ERRORS.NODE_TOO_OLD).toBe(2);
  });

  test.each(['22.15.0', '22.23.1', '23.8.0', '24.21.0', '26.10.0', process.versions.node])(
    'lets %s pass',
    (version) => {
      expect(nodeRefusal(version, false)).toBeUndefined();
    },
  );

  test('asks for what the package asks for', () => {
    const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(engines.node).toBe(`^${NODE_FLOOR} || >=23.8`);
  });
});

describe('the built command', () => {
  /** All that Node reads before the check has answered: the entry, and what it imports at once. */
  function readAtOnce(file: string): readonly string[] {
    const text = readFileSync(join(built, file), 'utf8');
    const imports = [...text.matchAll(/^import\b.*?["']([^"']+)["'];/gm)].map((match) => match[1] ?? '');
    const own = imports.filter((name) => name.startsWith('./'));
    expect(
      imports.filter((name) => !own.includes(name)),
      file,
    ).toEqual(['node:module']);
    return [text, ...own.flatMap((name) => readAtOnce(name.slice(2)))];
  }

  test('begins with nothing that Node 12 cannot read, and loads no package before the check', async () => {
    expect(readdirSync(built)).toContain('main.js');
    const texts = readAtOnce('main.js');
    expect(texts.join('').length).toBeLessThan(10_000);
    for (const text of texts) {
      const code = text.replace(/^#!.*\n/, '');
      const [old, today] = await Promise.all(
        ['node12.20', 'esnext'].map((target) => transform(code, { target, format: 'esm' })),
      );
      expect(old?.code).toBe(today?.code);
    }
  });

  const node = oldNode();
  // Where the machine has no older Node, the two tests above say as much as can be said.
  if (node !== undefined)
    test.each([[['--help']], [['demo']], [['demo', '--json']], [['run', 'none.yaml']]])(
      'started by an older Node with %j says so and exits with 2',
      (args) => {
        const { status, signal, stdout, stderr } = spawnSync(node, [join(built, 'main.js'), ...args], {
          encoding: 'utf8',
          cwd: dirname(built),
        });
        expect({ status, signal }).toEqual({ status: 2, signal: null });
        if (args.includes('--json')) {
          expect(JSON.parse(stdout).error.code).toBe('NODE_TOO_OLD');
          expect(stderr).toBe('');
        } else {
          expect(stdout).toBe('');
          expect(stderr).toMatch(/^error NODE_TOO_OLD {2}.*\n {2}where .*\n {2}why .*\n {2}next .*\n$/);
        }
      },
    );
});
