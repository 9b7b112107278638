/** The commands of the documents run as they stand, one document after the other, and print what the documents show. */

import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Block, documentBlocks, documents, SHELL } from '../support/docs/blocks.ts';
import { COMMANDS_NOT_RUN, NOT_COMPARED, RUN_BY, WHAT_TO_DO } from '../support/docs/coverage.ts';
import { DocumentSession } from '../support/docs/session.ts';
import { Shell } from '../support/docs/shell.ts';
import { keysOf, makeStage, type Stage } from '../support/docs/stage.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { type SandboxProcess, startSandbox } from '../support/vendor/sandbox-process.ts';

const isIn = (list: typeof COMMANDS_NOT_RUN, { document, text }: Block): boolean =>
  list.some((each) => each.document === document && text.includes(each.text));
const pages = documents()
  .filter((document) => RUN_BY[document] === undefined)
  .map((document) => ({ document, blocks: documentBlocks(document) }))
  .filter(({ blocks }) => blocks.some((block) => SHELL.includes(block.language) && !isIn(COMMANDS_NOT_RUN, block)));

const directory = temporaryDirectory('docs-commands');
let sandbox: SandboxProcess;
let port: number;
let count = 0;

async function openStage(): Promise<Stage> {
  count += 1;
  const made = makeStage(join(directory, String(count)), port);
  return { ...made, env: { ...made.env, ...keysOf(sandbox) } };
}

beforeAll(async () => {
  sandbox = await startSandbox({ args: ['--memory', '--crowd'] });
  port = Number(new URL(sandbox.url).port);
});
afterAll(() => sandbox.remove());

/** `runs/` with a backtest and a live run of the past, as documents about runs have them. */
let pastRuns: string;
beforeAll(async () => {
  const { repository, env, logs } = await openStage();
  const config = join(repository, 'config/live.yaml');
  writeFileSync(config, readFileSync(config, 'utf8').replace('record: false', 'record: true'));
  const shell = new Shell({ cwd: repository, env, logs });
  const bot = await shell.serve('oddsmith run config/live.yaml', /arming → trading/);
  const backtest = await shell.type('oddsmith backtest config/backtest.yaml --fills central');
  expect(backtest.code, backtest.out).toBe(0);
  await pass(2_000);
  expect(await shell.end(bot), bot.said()).toBe(0);
  shell.close();
  pastRuns = join(repository, 'runs');
});

describe.each(pages)('$document', ({ document, blocks }) => {
  let session: DocumentSession;

  beforeAll(async () => {
    const stage = await openStage();
    cpSync(pastRuns, join(stage.repository, 'runs'), { recursive: true });
    // A run that this document starts itself begins anew.
    if (blocks.some(({ text }) => text.includes('run config/live.yaml')))
      rmSync(join(stage.repository, 'runs/live'), { recursive: true });
    session = new DocumentSession({ stage, facts: sandbox, port });
    for (const { text, language } of blocks) {
      const [, name] = /defineStrategy\(\{\n {2}name: '([\w-]+)'/.exec(text) ?? [];
      if (language !== 'ts' || name === undefined) continue;
      for (const path of [`${name}.ts`, `strategies/${name}.ts`]) await session.save(path, text);
    }
  });
  afterAll(async () => expect(await session.end()).toEqual([]));

  const tried = blocks.filter(({ language }) => [...SHELL, 'text'].includes(language));
  let isFirst = true;
  for (const block of tried) {
    const name = `${block.line}: ${block.text.split('\n')[0]}`;
    if (SHELL.includes(block.language) && !isIn(COMMANDS_NOT_RUN, block)) {
      isFirst = false;
      test(`${name} runs`, () => session.type(block));
    } else if (block.language === 'text' && !isIn(NOT_COMPARED, block) && !isFirst)
      test(`${name} is printed`, () =>
        expect(session.missing(block), `${document}:${block.line}\n${WHAT_TO_DO}`).toEqual([]));
  }
});
