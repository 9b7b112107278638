/** docs/sandbox-tour.md: it visits everything there is, and its commands still print what it shows. */

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENDPOINTS } from '../../src/betdex/wire/endpoints.ts';
import { CONTROL_ENDPOINTS } from '../../src/sandbox/control/control-plane.ts';
import { blocksOf, skeletonOf, statusesIn, withAnswers } from '../support/tour/tour-page.ts';
import { runTour } from '../support/tour/tour-run.ts';
import { describeWithCurl } from '../support/tour/with-curl.ts';
import { type SandboxProcess, startSandbox } from '../support/vendor/sandbox-process.ts';

const page = readFileSync(new URL('../../docs/sandbox-tour.md', import.meta.url), 'utf8');
const blocks = blocksOf(page);

/** `POST /markets/{id}/lock` as a pattern of the words that the tour makes for curl. */
function visit(method: string, path: string): RegExp {
  const word = { GET: 'get', POST: 'post', DELETE: 'del' }[method];
  const address = path.replace(/\{\w+\}/g, '[^/\\s"\'?]+');
  return new RegExp(`\\b${word} ["']?${address}(?=["'?\\s]|$)`, 'm');
}

const commands = blocks.map((block) => block.commands).join('\n');

describe('the tour visits', () => {
  test.each(Object.entries(ENDPOINTS))('%s', (_, { method, path }) => {
    expect(commands).toMatch(visit(method, path));
  });

  test.each(CONTROL_ENDPOINTS.map(({ method, path }) => [`${method} /control${path}`, method, path] as const))(
    '%s',
    (_, method, path) => {
      expect(commands).toMatch(visit(method, `/control${path}`));
    },
  );
});

describeWithCurl('the tour shows', () => {
  let sandbox: SandboxProcess;
  let answers: readonly string[];

  beforeAll(async () => {
    sandbox = await startSandbox({ args: ['--memory'] });
    answers = await runTour(blocks, sandbox);
  });

  afterAll(() => sandbox.remove());

  test('an answer of every block, to which nothing was added by hand', () => {
    expect(answers).toHaveLength(blocks.length);
    expect(
      withAnswers(
        page,
        blocks.map(({ shown = '' }) => shown),
      ),
    ).toBe(page);
  });

  test('the statuses that its commands give', () => {
    expect(answers.map(statusesIn)).toEqual(blocks.map(({ shown = '' }) => statusesIn(shown)));
  });

  test('what its commands print, but for ids, times and names of the day', () => {
    expect(answers.map(skeletonOf)).toEqual(blocks.map(({ shown = '' }) => skeletonOf(shown)));
  });

  test('no status of 5xx but the one that a fault was asked for', () => {
    expect(answers.flatMap(statusesIn).filter((status) => status >= 500)).toEqual([503]);
    expect(sandbox.errors()).toBe('');
  });
});
