/** Words: those that were given up, since a newcomer finds them in no dictionary, and those with which no sentence begins. */

import type { Breach } from './source.ts';

/** Each with what we say instead. Whole words, also inside of names (`houseLevels`, `StrategySeat`). */
const GIVEN_UP: Readonly<Record<string, string>> = {
  seat: 'strategy instance',
  desk: 'market entry, or sandbox context',
  errand: 'request',
  overseer: 'engine supervisor',
  chronicle: 'record keeper',
  moody: 'not deterministic',
  eaten: 'consumed',
  slips: 'request pool',
  strays: 'foreign orders',
  slaved: 'following',
  wisher: 'proposer',
  twins: 'siblings: the same order under the other fill models',
};

/** Turns of phrase that point at another sentence, or that a reader has to think about twice. */
const PHRASES: Readonly<Record<string, string>> = {
  'told of': 'reported, named',
  'heard of': 'known, received',
};

/** A comment that begins so points at the one above it, which an editor does not show. */
const POINTER = /(\/\*\*|\/\/|^\s*\*) The same(,|\.| as above)/;

const WORDS = Object.entries(GIVEN_UP).map(([word, instead]) => ({ pattern: inNames(word), word, instead }));
const TURNS = Object.entries(PHRASES).map(([word, instead]) => ({
  pattern: new RegExp(`\\b${word}\\b`),
  word,
  instead,
}));

/** Decisions and the change log keep the words of the day on which they were written. */
const HISTORY = /^(CHANGELOG\.md|docs\/decisions(\/[\w-]+)?\.md)$/;
const READ = /^(src|strategies|backtest|tools|docs|config)\/.*\.(ts|md|ya?ml)$|^[A-Z]+\.md$/;

export function givenUpWordBreaches(texts: readonly { readonly path: string; readonly text: string }[]): Breach[] {
  return texts
    .filter(({ path }) => READ.test(path) && !HISTORY.test(path))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => {
        const found = [...WORDS, ...TURNS].find(({ pattern }) => pattern.test(line));
        if (found !== undefined) return [`${path}:${index + 1}: "${found.word}" was given up: ${found.instead}`];
        return POINTER.test(line)
          ? [`${path}:${index + 1}: a comment that is complete only with the one above it`]
          : [];
      }),
    );
}

/** A comment that begins so is no sentence: the reader has to put the name below it first. */
const FRAGMENT = /^(So|As|Of|By|Not|Beside|Told|Than)\b/;
/** The part of a layer that may: docstrings of public names keep their words, since docs/api holds them. */
const FRAGMENTS_MAX = 0.04;

export function fragmentBreaches(sources: readonly { readonly path: string; readonly text: string }[]): Breach[] {
  const layers = Map.groupBy(
    sources.filter(({ path }) => path.startsWith('src/')),
    ({ path }) => path.split('/')[1],
  );
  return [...layers].flatMap(([layer, files]) => {
    const comments = files.flatMap(({ path, text }) =>
      [...text.matchAll(/\/\*\*\s+(?:\* )?(\S+)/g)].map(({ 1: first = '', index }) => ({ path, text, first, index })),
    );
    const fragments = comments.filter(({ first }) => FRAGMENT.test(first));
    if (fragments.length <= FRAGMENTS_MAX * comments.length) return [];
    const share = `${fragments.length} of ${comments.length} in ${layer}`;
    return fragments.map(({ path, text, first, index }) => {
      const line = text.slice(0, index).split('\n').length;
      return `${path}:${line}: "${first} …" begins a comment, as ${share} do: begin with the thing that it is about`;
    });
  });
}

/** `desk`, `desks`, `Desk`, `MarketDesk`, `deskOf`; not `desktop`. */
function inNames(word: string): RegExp {
  const capital = word.charAt(0).toUpperCase() + word.slice(1);
  const plural = word.endsWith('s') ? '' : 's?';
  return new RegExp(
    `(?<![A-Za-z])${word}${plural}(?![a-z])|(?<=[a-z])${capital}${plural}(?![a-z])|\\b${capital}${plural}(?![a-z])`,
  );
}
