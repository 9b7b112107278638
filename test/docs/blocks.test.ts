/** Every block of code, every command and every configuration in the documents is tried by a test, or stands in a list with the reason. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ORDER_COLUMNS } from '../../src/result/columns/order-columns.ts';
import { OUTCOME_COLUMNS } from '../../src/result/columns/outcome-columns.ts';
import {
  type Block,
  blocksIn,
  commandsOf,
  documentBlocks,
  documents,
  mentionedCommands,
  SHELL,
  textOf,
} from '../support/docs/blocks.ts';
import { COMMANDS_NOT_RUN, NOT_COMPARED, RUN_BY, WHAT_TO_DO } from '../support/docs/coverage.ts';
import { oddsmithArguments, parserRefuses, shellCommands } from '../support/docs/option-parser.ts';
import { missingLines, withoutFigures, withoutMachine } from '../support/docs/shown.ts';
import { readersRefuse } from '../support/docs/yaml-reader.ts';
import { ROOT } from '../support/places.ts';

const LISTED = [...COMMANDS_NOT_RUN, ...NOT_COMPARED];
const blocks = documents().flatMap(documentBlocks);
const at = ({ document, line }: { readonly document: string; readonly line: number }): string => `${document}:${line}`;
const listed = (block: Block) =>
  LISTED.find(({ document, text }) => document === block.document && block.text.includes(text));

/** Each by itself, also where several stand in a line. */
const simpleCommands = (block: Block): readonly string[] =>
  commandsOf(block)
    .flatMap(({ text }) => shellCommands(text).map((words) => words.join(' ')))
    .filter((command) => command !== 'npm ci');

/** Why nothing tries a block; undefined where something does. */
function untried(block: Block, others: readonly Block[]): string | undefined {
  const { document, language } = block;
  if (listed(block) !== undefined || SHELL.includes(language) || ['ts', 'yaml'].includes(language)) return undefined;
  const isAfterCommands = others.some(
    (other) => other.document === document && other.line < block.line && SHELL.includes(other.language),
  );
  if (language === 'text' && isAfterCommands) return undefined;
  if (language === 'diff' && RUN_BY[document] !== undefined) return undefined;
  const what = { '': 'has no language behind its backticks', text: 'shows output, and no commands stand before it' }[
    language
  ];
  return `${at(block)} ${what ?? `is in a language, ${language}, that no test reads`}.\n${WHAT_TO_DO}`;
}

test('every block is tried, or listed with a reason', () => {
  expect(blocks.flatMap((block) => untried(block, blocks) ?? [])).toEqual([]);
  expect(blocks.length).toBeGreaterThan(140);
});

test.each([
  ['```\nx\n```', 'has no language'],
  ['```text\nprofit 3\n```', 'no commands stand before it'],
  ['```perl\nprint 1\n```', 'perl, that no test reads'],
])('a new block is found where nothing tries it: %s', (text, why) => {
  const made = blocksIn('docs/new.md', `# New\n\n${text}\n`);
  const [said] = made.flatMap((block) => untried(block, made) ?? []);
  expect(said).toContain('docs/new.md:4 ');
  expect(said).toContain(why);
  expect(said).toContain('test/support/docs/coverage.ts');
});

test('a block without an end is found', () => {
  expect(() => blocksIn('docs/new.md', 'a\n```sh\nls\n')).toThrow('docs/new.md:3');
});

describe('the lists', () => {
  test.each(LISTED.map((each) => ({ name: `${each.document} ${each.text}`, ...each })))(
    '$name is of a block that there is, and of a test that there is',
    ({ document, text, by, why, sameAs }) => {
      const found = documentBlocks(document).filter((block) => block.text.includes(text));
      expect(found).toHaveLength(1);
      if (sameAs !== undefined) {
        const others = documentBlocks(sameAs).filter((block) => listed(block) === undefined);
        expect(found.flatMap(simpleCommands).filter((each) => !others.flatMap(simpleCommands).includes(each))).toEqual(
          [],
        );
      }
      if (by !== undefined) expect(existsSync(join(ROOT, by)), by).toBe(true);
      expect(why.length).toBeGreaterThan(10);
    },
  );

  test.each(Object.entries(RUN_BY))('%s is run by %s', (document, path) => {
    expect(readFileSync(join(ROOT, path), 'utf8')).toContain(document.replace('docs/', ''));
  });
});

describe('commands', () => {
  const typed = blocks.filter(({ language }) => SHELL.includes(language)).flatMap(commandsOf);
  const scripts = new Set(
    Object.keys(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts).concat(
      'test',
      'check',
      'backtest',
    ),
  );

  /** What is wrong with the words of one command. */
  async function wrong(words: readonly string[]): Promise<string | undefined> {
    const args = oddsmithArguments(words);
    if (args !== undefined) return await parserRefuses(args);
    if (words[0] === 'npm' && words[1] === 'run' && !scripts.has(words[2] ?? ''))
      return `there is no script ${words[2]}`;
    if (words[0] === 'sbatch')
      return await parserRefuses(
        oddsmithArguments((words.at(-1) ?? '').replace('"$SLURM_CPUS_PER_TASK"', '8').split(' ')) ?? [],
      );
    return undefined;
  }

  test('those of blocks are taken by the option parser, and scripts of npm are there', async () => {
    const found: string[] = [];
    for (const command of typed)
      for (const words of shellCommands(command.text)) {
        const why = await wrong(words);
        if (why !== undefined) found.push(`${at(command)}: ${command.text}\n${why}`);
      }
    expect(found).toEqual([]);
    expect(typed.length).toBeGreaterThan(100);
  });

  test('those that the text and the configurations name are taken too, but for what they leave out', async () => {
    const found: string[] = [];
    for (const command of mentionedCommands()) {
      const [words = []] = shellCommands(command.text.replace(/\b(TRIAL|N)\b/g, '1'));
      const why = await wrong(words);
      if (why !== undefined && !/Missing required argument|Required option .* not specified/.test(why))
        found.push(`${at(command)}: ${command.text}\n${why}`);
    }
    expect(found).toEqual([]);
  });

  test('names of scripts of npm in the text are scripts', () => {
    const found = documents().flatMap((document) =>
      [...textOf(document).matchAll(/`npm run (?!-s )([\w:-]+)/g)].map(([, name = '']) => ({ document, name })),
    );
    expect(found.length).toBeGreaterThan(30);
    expect(found.filter(({ name }) => !scripts.has(name))).toEqual([]);
  });

  test('a flag that there is not, a command that there is not, and a script that there is not are found', async () => {
    expect(await wrong(['npx', 'oddsmith', 'backtest', '--tapes', 'x'])).toContain("nknown option '--tapes'");
    expect(await wrong(['oddsmith', 'tape', 'infos', 'x'])).toContain('infos');
    expect(await wrong(['npm', 'run', 'tests'])).toContain('tests');
  });
});

describe('configurations', () => {
  // Those of the guide are files of the project that is made while it is walked: its commands read them.
  const read = blocks.filter(
    (block) => block.language === 'yaml' && listed(block) === undefined && block.document !== 'docs/guide.md',
  );
  const files = readdirSync(join(ROOT, 'config')).filter((name) => name.endsWith('.yaml'));

  test.each(read.map((block) => ({ name: at(block), text: block.text })))('$name is read', async ({ text }) => {
    expect(await readersRefuse(text)).toBe(undefined);
  });

  test.each(files)('config/%s is read', async (name) => {
    expect(await readersRefuse(textOf(`config/${name}`))).toBe(undefined);
  });

  test('a key that there is not is found, with what each reader says', async () => {
    expect(await readersRefuse('dashbord: { port: 9465 }')).toMatch(/as a backtest: .*\nas a run: .*\nas a record: /s);
    expect(await readersRefuse('sweep:\n  holdout: { since: 2026-09-01 }\n')).toContain('as a sweep');
  });
});

test('files of the repository that the text names are there', () => {
  const paths = documents().flatMap((document) =>
    [...textOf(document).matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) =>
      [...code.matchAll(/(?:^|\s)((?:src|test|tools|backtest|strategies|config|packaging|docs)\/[\w./@-]*[\w/])/g)].map(
        ([, path = '']) => ({ document, path }),
      ),
    ),
  );
  expect(paths.length).toBeGreaterThan(100);
  // Files that the reader makes: those of a project, and strategies of blocks.
  const named = blocks.flatMap(({ text }) =>
    [...text.matchAll(/^ {2}name: '([\w-]+)'/gm)].map(([, name = '']) => name),
  );
  const own = new RegExp(`/(another|my-strategy|NAME|${named.join('|')})\\b`);
  const kept = paths.filter(({ path }) => !own.test(path));
  const lost = kept.filter(({ path }) => ![path, `src/${path}`].some((each) => existsSync(join(ROOT, each))));
  expect(lost).toEqual([]);
});

test('queries of Parquet files name columns that there are', () => {
  const queries = blocks.filter(
    ({ document, language }) => document === 'docs/backtest.md' && ['sql', 'py'].includes(language),
  );
  const names = (prefix: string, columns: readonly { readonly name: string }[]) =>
    columns.map(({ name }) => `${prefix}.${name}`);
  const known = [...names('o', ORDER_COLUMNS), ...names('c', OUTCOME_COLUMNS)];
  const asked = queries.flatMap(({ text }) => [
    ...[...text.matchAll(/\b([oc])\.(?:"([\w.]+)"|(\w+))/g)].map(
      ([, table, quoted, plain]) => `${table}.${quoted ?? plain}`,
    ),
    ...[...text.matchAll(/pl\.col\("([\w.]+)"\)/g)].map(([, name]) => `o.${name}`),
  ]);
  expect(asked.length).toBeGreaterThan(8);
  expect(asked.filter((name) => !known.includes(name))).toEqual([]);
});

describe('output that is shown', () => {
  const printed =
    'markets  14\nnet profit   −2.87  −0.74\nran for 13.4 s in /opt/a/b.tape\nrun  live-m1-a2b3  pid 812\n';

  test.each([
    ['its lines, in their order', 'markets 14\nnet profit −2.87 −0.74', []],
    ['one that is cut off', 'net profit −2.87 …', []],
    ['a figure that is another', 'net profit −2.88 −0.74', ['net profit −2.88 −0.74']],
    ['lines in another order', 'net profit −2.87 −0.74\nmarkets 14', ['markets 14']],
    ['a line that is not printed', 'gross profit 1', ['gross profit 1']],
    ['another time and another place', 'ran for 2.4 s in /var/b.tape', []],
  ])('is compared: %s', (_what, shown, missing) => {
    expect(missingLines(shown, printed, withoutMachine)).toEqual(missing);
  });

  test('without its figures, where a command prints others each time', () => {
    expect(missingLines('net profit +1.00 0.20\nrun live-zz-99aa pid 1', printed, withoutFigures)).toEqual([]);
    expect(missingLines('net loss +1.00 0.20', printed, withoutFigures)).toEqual(['net loss +1.00 0.20']);
  });

  test.each(['-7UHL7MS66GAsiPMYc8BHMghFggRrimymqer9lJeK44', '_x-', 'noDigitAtAll', '10s-3ms'])(
    'a link is one, whatever its secret: %s',
    (secret) => {
      const shown = 'http://127.0.0.1:9465/#link=AkDTrr3uxOrjxmMHcxTZ_6Ds6QaR9sYl-50WV6S5U9Y';
      expect(missingLines(shown, `http://127.0.0.1:40855/#link=${secret}`, withoutFigures)).toEqual([]);
      expect(missingLines(shown, `http://127.0.0.1:40855/#lnk=${secret}`, withoutFigures)).toEqual([shown]);
    },
  );
});
