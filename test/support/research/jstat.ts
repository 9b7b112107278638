/** The part of jstat that judges distributions: the package ships no types. */

import { createRequire } from 'node:module';

interface Jstat {
  readonly normal: {
    cdf(x: number, mean: number, deviation: number): number;
    inv(p: number, mean: number, deviation: number): number;
  };
}

export const jstat = createRequire(import.meta.url)('jstat') as Jstat;
