/** A command is carried out once, whatever is sent twice, and is done when a state proves it. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CommandLog, type CommandRequest } from '../../../src/app/web/dashboard/server/command-log.ts';
import type { CommandOffer } from '../../../src/pages/panels.ts';

const REQUEST = { key: 'a'.repeat(32), name: 'halt', of: '', values: {}, reason: 'team news', word: 'halt' };
const WHOLE = { group: '', of: '', about: '', off: undefined, fields: [] };
const OFFER = {
  ...WHOLE,
  name: 'halt',
  title: 'Halt',
  effect: '',
  word: 'halt',
  hasReason: true,
  tone: 'bad',
} as const;
const OUTCOMES = ['Home', 'Draw', 'Away'].map((label, index) => ({ value: String(index), label }));
/** For one market alone, with something to choose. */
const SETTLE: CommandOffer = {
  ...{ ...OFFER, name: 'settle', title: 'Settle', word: 'settle', of: '7', about: 'A v B' },
  fields: [
    { kind: 'choice', name: 'winner', label: 'winner', least: 1, most: 2, options: OUTCOMES },
    { kind: 'number', name: 'places', label: 'places', least: 1, most: 3, decimals: 0, first: '1' },
  ],
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function logOf(answers: { refused?: string } = {}) {
  const carried: string[] = [];
  const state = { isDone: false, proof: '2 orders still live' };
  const log = new CommandLog(
    {
      offers: (of) => [OFFER, { ...OFFER, name: 'resume', word: 'resume' }, ...(of === '7' ? [SETTLE] : [])],
      subjects: () => undefined,
      carryOut: async ({ name, values, reason }) => {
        carried.push(`${name}${JSON.stringify(values)}: ${reason}`);
        // A second request comes while the first is carried out.
        await Promise.resolve();
        return answers.refused === undefined ? { progress: () => state } : { refused: answers.refused };
      },
    },
    () => Date.now(),
  );
  return { log, carried, state };
}

test('the same key twice at once and again later is one command', async () => {
  const { log, carried } = logOf();
  const answers = await Promise.all([log.ask(REQUEST), log.ask(REQUEST)]);
  answers.push(await log.ask(REQUEST));
  expect(carried).toEqual(['halt{}: team news']);
  expect(answers.map(({ kind }) => kind)).toEqual(['heard', 'heard', 'heard']);
  expect(log.entries).toHaveLength(1);
});

test('another key is another command, and a key cannot be used for another one', async () => {
  const { log, carried } = logOf();
  await log.ask(REQUEST);
  await log.ask({ ...REQUEST, key: 'b'.repeat(32) });
  expect(carried).toHaveLength(2);
  expect(await log.ask({ ...REQUEST, name: 'resume', word: 'resume' })).toMatchObject({ kind: 'invalid' });
  expect(carried).toHaveLength(2);
});

test('it is done when the state proves it, whether anybody looks or not', async () => {
  const { log, state } = logOf();
  await log.ask(REQUEST);
  expect(log.entries[0]).toMatchObject({ proof: '2 orders still live', doneAt: undefined });
  expect(log.pending).toBe(1);
  state.isDone = true;
  state.proof = 'no order is live';
  vi.advanceTimersByTime(1_000);
  state.proof = 'resumed since';
  expect(log.entries[0]).toMatchObject({ proof: 'no order is live', doneAt: expect.any(Number) });
  expect(log.pending).toBe(0);
  expect(vi.getTimerCount(), 'nothing is looked at any more').toBe(0);
});

test('what is refused says why, and waits for nothing', async () => {
  const { log } = logOf({ refused: 'The run is about to end.' });
  expect(await log.ask(REQUEST)).toMatchObject({ entry: { refused: 'The run is about to end.' } });
  expect(log.pending).toBe(0);
});

test.each([
  ['an unknown command', { name: 'sell' }],
  ['a word that was not typed', { word: '' }],
  ['another word', { word: 'Halt' }],
  ['a key that can be guessed', { key: '1' }],
  ['a reason without end', { reason: 'x'.repeat(501) }],
])('%s is not carried out', async (_, change) => {
  const { log, carried } = logOf();
  expect(await log.ask({ ...REQUEST, ...change })).toMatchObject({ kind: 'invalid' });
  expect(carried).toEqual([]);
});

const SETTLING: CommandRequest = {
  ...REQUEST,
  name: 'settle',
  of: '7',
  word: 'settle',
  values: { winner: '0,2', places: '1' },
};

test('what was chosen is carried out, and stands beside the command in words', async () => {
  const { log, carried } = logOf();
  expect(await log.ask(SETTLING)).toMatchObject({
    entry: { title: 'Settle', about: 'A v B · winner: Home, Away · places: 1' },
  });
  expect(carried).toEqual(['settle{"winner":"0,2","places":"1"}: team news']);
  const other = { ...SETTLING, values: { ...SETTLING.values, winner: '1' } };
  expect(await log.ask(other), 'a key stands for what was chosen too').toMatchObject({ kind: 'invalid' });
  expect(carried).toHaveLength(1);
});

test.each<[string, Partial<CommandRequest>]>([
  ['nothing chosen', { values: { winner: '', places: '1' } }],
  ['a winner that is none', { values: { winner: '9', places: '1' } }],
  ['the same twice', { values: { winner: '1,1', places: '1' } }],
  ['too many', { values: { winner: '0,1,2', places: '1' } }],
  ['a number outside', { values: { winner: '1', places: '4' } }],
  ['a number with decimals', { values: { winner: '1', places: '1.5' } }],
  ['a number in another notation', { values: { winner: '1', places: '1e0' } }],
  ['something more', { values: { ...SETTLING.values, stake: '1' } }],
  ['another market', { of: '8' }],
  ['no market', { of: '' }],
])('a command with %s is not carried out', async (_, change) => {
  const { log, carried } = logOf();
  expect(await log.ask({ ...SETTLING, ...change })).toMatchObject({ kind: 'invalid' });
  expect(carried).toEqual([]);
});
