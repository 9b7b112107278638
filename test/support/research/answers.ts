/** Answers of other programs to stored questions: `test/research/answers`, each with its provenance. */

import { readFileSync } from 'node:fs';

/** The parsed file; the test says which shape it has. */
export function answersOf<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../../research/answers/${name}.json`, import.meta.url), 'utf8')) as T;
}
