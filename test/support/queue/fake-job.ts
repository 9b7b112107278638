/** Jobs whose rows anyone can compute: the queue is tested without what it carries. */

import { createHash } from 'node:crypto';
import type { SweepJob } from '../../../src/sweep/engine/engine.ts';

export function fakeKey(number: number): string {
  return createHash('sha256').update(`unit ${number}`).digest('hex');
}

export function fakeRow(key: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(`row of ${key}`).digest());
}

export function fakeJob(number: number, keys: readonly string[]): SweepJob {
  return {
    ...{ number, trials: [], groups: [{ name: 'a', markets: ['1'], sha256: '' }] },
    bundles: [
      {
        kind: 'bundle',
        file: '/a.ts',
        code: 'a',
        map: '{}',
        sha256: 'a'.repeat(64),
        files: [],
        imports: [],
        realmText: '',
      },
    ],
    units: keys.map((key) => ({ key, trial: 0, group: 0 })),
  };
}
