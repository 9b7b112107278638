/**
 * The line scanner compared with JSON.parse: it stages the same content, and never stages a line that is no message.
 */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineScanner } from '../../src/betfair/wire/mcm/line-scanner.ts';
import { stageText } from '../../src/betfair/wire/mcm/message.ts';
import { FIELDS, StagedMessage } from '../../src/betfair/wire/mcm/staged-message.ts';

const scanned = new StagedMessage();
const scanner = new LineScanner();
const parsed = new StagedMessage();

function scan(line: string): boolean {
  const bytes = Buffer.from(`x${line}\nx`);
  return scanner.scan({ bytes, from: 1, to: bytes.length - 2 }, scanned);
}

/** Everything valid in a staged message, without the old entries beyond its counts. */
function contentOf(message: StagedMessage): unknown {
  const rows = (from: number, to: number) =>
    [message.positions, message.prices, message.sizes].map((column) => [...column.subarray(from, to)]);
  const runner = (at: number) => ({
    id: message.runnerIds[at],
    hc: Math.abs(message.handicaps[at] as number) === 0 ? 0 : message.handicaps[at],
    prices: [message.lastPrices[at], message.nears[at], message.fars[at]],
    rows: Array.from({ length: FIELDS }, (_, field) => {
      const from = message.rowsFrom[at * FIELDS + field] as number;
      return from === -1 ? 'absent' : rows(from, message.rowsTo[at * FIELDS + field] as number);
    }),
  });
  return Array.from({ length: message.changes }, (_, at) => ({
    publishedAt: message.publishedAt,
    clk: message.clk,
    segment: message.segment,
    id: message.ids[at],
    image: message.images[at],
    definition: message.definitions[at],
    runners: Array.from({ length: (message.runnersTo[at] as number) - (message.runnersFrom[at] as number) }, (_, i) =>
      runner((message.runnersFrom[at] as number) + i),
    ),
  }));
}

/** Whether the line was scanned; if it was, checks that JSON.parse agrees. */
function agrees(line: string): boolean {
  if (!scan(line)) return false;
  expect(stageText(line, parsed), line).toBeUndefined();
  expect(contentOf(scanned), line).toEqual(contentOf(parsed));
  scanned.merge();
  parsed.merge();
  expect(contentOf(scanned), line).toEqual(contentOf(parsed));
  return true;
}

const price = fc.oneof(
  fc.integer({ min: 0, max: 100_000 }).map((hundredths) => hundredths / 100),
  fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
  fc.double({ min: 0, max: 1e9, noNaN: true }),
);
const pairs = fc.array(fc.tuple(price, price), { maxLength: 4 });
const triples = fc.array(fc.tuple(fc.nat(9), price, price), { maxLength: 4 });
const starting = fc.oneof(price, fc.constantFrom('NaN', 'Infinity'));
const runner = fc.record(
  {
    atb: pairs,
    atl: pairs,
    trd: pairs,
    batb: triples,
    batl: triples,
    spb: pairs,
    bdatl: triples,
    ltp: price,
    tv: price,
    spn: starting,
    spf: starting,
    hc: fc.constantFrom(0, -0.5, 2, 1.25),
    id: fc.integer({ min: 1, max: 2 ** 40 }),
  },
  { requiredKeys: ['id'] },
);
const change = fc.record(
  {
    id: fc.oneof(fc.stringMatching(/^1\.\d{6,10}$/), fc.constant('1.100000001')),
    rc: fc.array(runner, { maxLength: 3 }),
    img: fc.boolean(),
    con: fc.boolean(),
    tv: price,
  },
  { requiredKeys: ['id'] },
);
const message = fc
  .record(
    {
      op: fc.constant('mcm'),
      id: fc.nat(),
      clk: fc.base64String(),
      pt: fc.integer({ min: 0, max: 2 ** 45 }),
      mc: fc.array(change, { minLength: 1, maxLength: 3 }),
    },
    { requiredKeys: ['op', 'pt', 'mc'] },
  )
  .map((made) => JSON.stringify(made));

test('it stages stream messages as JSON.parse does', () => {
  fc.assert(
    fc.property(message, (line) => {
      expect(agrees(line), line).toBe(true);
      expect(agrees(`${line}\r`), line).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test('it never stages a damaged line as another message than JSON.parse reads', () => {
  const damage = fc.record({
    at: fc.nat(),
    cut: fc.nat(3),
    put: fc.constantFrom('', ...'{}[]",:.-+eE019 \\ntru\u00e9\r'),
  });
  fc.assert(
    fc.property(message, fc.array(damage, { minLength: 1, maxLength: 2 }), (line, damages) => {
      let damaged = line;
      for (const { at, cut, put } of damages) {
        const from = at % damaged.length;
        damaged = damaged.slice(0, from) + put + damaged.slice(from + cut);
      }
      agrees(damaged);
    }),
    { numRuns: 6_000 },
  );
});

test.each([
  ['a definition', '{"op":"mcm","pt":1,"mc":[{"id":"1.1","marketDefinition":{"status":"OPEN"}}]}'],
  ['a definition that is none', '{"op":"mcm","pt":1,"mc":[{"id":"1.1","marketDefinition":5}]}'],
  ['an escaped key', '{"op":"mcm","pt":1,"m\\u0063":[{"id":"1.1"}],"mc":[{"id":"1.2"}]}'],
  ['a negative size', '{"op":"mcm","pt":1,"mc":[{"id":"1.1","rc":[{"id":1,"atb":[[2,-1]]}]}]}'],
  ['a number with a leading zero', '{"op":"mcm","pt":01,"mc":[{"id":"1.1"}]}'],
  ['a segment', '{"op":"mcm","pt":1,"segmentType":"SEG_START","mc":[{"id":"1.1"}]}'],
  ['a heartbeat', '{"op":"mcm","pt":1,"ct":"HEARTBEAT"}'],
  ['a line cut short', '{"op":"mcm","pt":1,"mc":[{"id":"1.1"}]'],
  ['more after the end', '{"op":"mcm","pt":1,"mc":[{"id":"1.1"}]}}'],
  ['nothing', ''],
])('it leaves to JSON.parse: %s', (_, line) => {
  expect(scan(line)).toBe(false);
});
