/** A set of digests knows what a set of texts knows. */

import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { DigestSet } from '../../src/core/collections/digest-set.ts';

test('says of each digest whether it was there, while the table grows', () => {
  const [set, naive] = [new DigestSet(), new Set<string>()];
  const wrong: number[] = [];
  for (let at = 0; at < 20_000; at += 1) {
    // Every third one comes again, at some distance.
    const digest = hash('sha256', String(at % 3 === 0 ? Math.floor(at / 2) : at));
    const isThere = naive.has(digest);
    if (set.has(digest) !== isThere || set.add(digest) === isThere) wrong.push(at);
    naive.add(digest);
  }
  expect(wrong).toEqual([]);
  expect(set.size).toBe(naive.size);
  expect([...naive].every((digest) => set.has(digest))).toBe(true);
  expect(set.has(hash('sha256', 'never'))).toBe(false);
});

test('knows digests that begin with zeros, and those that lie at the end of the table', () => {
  const set = new DigestSet();
  const first = ['0'.repeat(16), 'f'.repeat(16), 'ffffffff00000003', '000003ff00000000', '000003ff00000001'];
  const digests = first.map((digits) => `${digits}${'a'.repeat(48)}`);
  expect(digests.map((digest) => set.add(digest))).toEqual([true, true, true, true, false]);
  expect(digests.map((digest) => set.add(digest))).toEqual([false, false, false, false, false]);
});
