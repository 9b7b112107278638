/** Reading a tape's updates as a replay does: one by one, undecoded, and straight into a book. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { DEFINITION, type RecordSink } from '../../src/recording/segment/update.ts';
import { Tape } from '../../src/recording/tape/tape.ts';
import { longMade, type MadeEvent, type MadeUpdate, madeStream, writeMade } from '../support/made-tape.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = temporaryDirectory('tape');
  path = join(folder, 'made.tape');
});

type How = 'straight' | 'columns' | 'unread';

/**
 * What each update tells a book. `how` says which updates are read as columns first, or not at all; `isPrompt` says
 * which are asked for by `nextPrices` first.
 */
function readThrough(target: string, how: (index: number) => How, isPrompt: (index: number) => boolean): string[] {
  const tape = Tape.open(target);
  try {
    const cursor = tape.cursor();
    const next = (index: number) => (isPrompt(index) ? cursor.nextPrices() : undefined) ?? cursor.nextPending();
    const lines: string[] = [];
    for (let update = next(0), index = 0; update !== undefined; index += 1, update = next(index)) {
      const words: string[] = [`${update.market} ${update.publishedAt} ${update.isDefinition}`];
      if (how(index) === 'columns') update.columns();
      if (how(index) !== 'unread') update.recordInto(writtenTo(words));
      lines.push(words.join('; '));
    }
    return lines;
  } finally {
    tape.close();
  }
}

function writtenTo(words: string[]): RecordSink {
  return {
    setLevel: (...level) => void words.push(`level ${level.join(' ')}`),
    addTraded: (...trade) => void words.push(`trade ${trade.join(' ')}`),
    setLastTick: (...last) => void words.push(`last ${last.join(' ')}`),
    setStartingPrice: (...start) => void words.push(`start ${start.join(' ')}`),
  };
}

test('gives a book the same straight from its bytes as by columns, whatever was left unread between, read either way', () => {
  const hows$ = fc.infiniteStream(fc.constantFrom('straight', 'columns', 'unread'));
  fc.assert(
    fc.property(madeStream, hows$, fc.infiniteStream(fc.boolean()), (steps, hows, prompts) => {
      let at = 1_700_000_000_000;
      const updates = steps.map(({ market, step, events }, index) => {
        at += step;
        const defined: MadeEvent[] = index % 7 === 0 ? [[DEFINITION, 0, 0, 0, 0]] : [];
        return { market, at, receivedAt: at, events: [...defined, ...events] };
      });
      rmSync(path, { force: true });
      writeMade(path, 4, updates);
      const chosen = updates.map(() => hows.next().value as How);
      const prompt = updates.map(() => prompts.next().value as boolean);
      const never = () => false;
      const expected = readThrough(path, () => 'columns', never);
      const mixed = readThrough(
        path,
        (index) => chosen[index] ?? 'straight',
        (index) => prompt[index] === true,
      );
      expect(readThrough(path, () => 'straight', never)).toEqual(expected);
      for (const [index, line] of mixed.entries())
        expect(line).toBe(chosen[index] === 'unread' ? expected[index]?.split('; ')[0] : expected[index]);
    }),
    { numRuns: 60 },
  );
});

function countSegments(target: string): number {
  const database = new Database(target, { readonly: true });
  try {
    return database.prepare('SELECT count(*) FROM segment').pluck().get() as number;
  } finally {
    database.close();
  }
}

test('has new prices at hand wherever a segment goes on, and only those', () => {
  const updates = longMade().map((update, index): MadeUpdate => {
    return index % 1_000 === 0 ? { ...update, events: [[DEFINITION, 0, 0, 0, 0], ...update.events] } : update;
  });
  writeMade(path, 3, updates);
  const tape = Tape.open(path);
  try {
    const cursor = tape.cursor();
    let atHand = 0;
    let others = 0;
    let definitions = 0;
    for (;;) {
      const prices = cursor.nextPrices();
      const update = prices ?? cursor.nextPending();
      if (update === undefined) break;
      expect(update.isDefinition && prices !== undefined).toBe(false);
      if (prices !== undefined) atHand += 1;
      else if (update.isDefinition) definitions += 1;
      else others += 1;
    }
    expect(definitions).toBe(30);
    expect(atHand + others + definitions).toBe(updates.length);
    // Once for each segment that is opened, and once where a market ends and another goes on.
    const segments = countSegments(path);
    expect(segments).toBeGreaterThan(3);
    expect(others).toBeGreaterThan(0);
    expect(others).toBeLessThanOrEqual(segments + tape.markets.length - 1);
    expect(cursor.nextPrices()).toBeUndefined();
  } finally {
    tape.close();
  }
});
