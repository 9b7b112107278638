/** One odd document among others, each kind with each of its fields made odd: the lenient reader reads all the others as the strict one does. */

import { describe, expect, test } from 'vitest';
import type { Endpoint } from '../../../../src/betdex/wire/endpoint.ts';
import { ENDPOINTS } from '../../../../src/betdex/wire/endpoints.ts';
import { SERVER_MESSAGES } from '../../../../src/betdex/wire/messages/stream.ts';
import { documentReader, lenientReader } from '../../../../src/codec/codec-read.ts';
import { type DocumentUse, USE } from '../../../../src/codec/document-use.ts';
import { Unreadable } from '../../../../src/codec/lenient.ts';
import { propertiesOf, type SchemaNode } from '../../../../src/codec/schema-node.ts';
import { type Oddity, odditiesOf } from '../../../support/betdex/oddities.ts';
import { schemaSample } from '../../../support/schema-sample.ts';

/** Each document kind in each list of each answer and message, by its title. */
interface Kind {
  readonly shape: SchemaNode;
  /** The list in an answer, or in a message, as its only content. */
  readonly list: SchemaNode;
}

const kinds = new Map<string, Kind>();
function collect(node: SchemaNode): void {
  if (node.items !== undefined) {
    for (const shape of node.items.anyOf ?? [node.items]) {
      if (shape[USE] !== undefined) kinds.set(shape.title ?? '', { shape, list: { type: 'array', items: shape } });
      collect(shape);
    }
  }
  for (const [, child] of node.type === 'object' ? propertiesOf(node) : []) collect(child);
}
for (const { answer } of Object.values(ENDPOINTS) as Endpoint[]) collect(answer.schema as SchemaNode);
for (const message of Object.values(SERVER_MESSAGES)) {
  const shape = message as SchemaNode;
  collect(shape);
  kinds.set(shape.title ?? '', { shape, list: { type: 'array', items: shape } });
}

const table = [...kinds].flatMap(([title, kind]) =>
  odditiesOf(kind.shape).map((oddity) => [`${title}.${oddity.field} ${oddity.way}`, kind, oddity] as const),
);

function useOf({ shape }: Kind): DocumentUse {
  const use = shape[USE];
  if (use === undefined) throw new Error('a document says what is used of it');
  return use;
}

/** What the reader makes of a field that is absent: nothing, or its default. */
function isExpectedUnreadable(kind: Kind, { field, way }: Oddity): boolean {
  const { needs, uses = [] } = useOf(kind);
  if (way === 'unknown word') return false;
  if (needs.includes(field)) return true;
  return way === 'wrong type' && uses.includes(field);
}

test('the table holds every kind of document that the gateway reads', () => {
  const used = [
    'Market',
    'EventSummary',
    'MarketTypeSummary',
    'MarketOutcome',
    'Order',
    'OrderFailure',
    'TradeSummary',
  ];
  const others = ['Trade', 'PriceBook', 'PriceRow', 'Wallet', 'Balance', 'Transaction', 'MarketPosition', 'Heartbeat'];
  const streamed = [
    'OrderUpdate',
    'MarketUpdate',
    'MarketStatusUpdate',
    'MarketPriceUpdate',
    'WalletUpdate',
    'StreamPrice',
  ];
  expect([...kinds.keys()]).toEqual(expect.arrayContaining([...used, ...others, ...streamed]));
  expect(table.length).toBeGreaterThan(700);
});

describe('the others are read as ever, and the odd one is read without the field or is unreadable', () => {
  test.each(table)('%s', (_name, kind, oddity) => {
    const plain = schemaSample(kind.shape, true) as Record<string, unknown>;
    const odd = oddity.of(plain);
    const read = lenientReader(kind.list as never)([plain, odd, plain]);
    const strict = documentReader(kind.shape as never)(plain);
    expect(read.kind).toBe('read');
    const [first, middle, last] = (read.kind === 'read' ? read.value : []) as readonly unknown[];
    expect({ kind: 'read', value: first }).toEqual(strict);
    expect(last).toEqual(first);
    const isUnreadable = isExpectedUnreadable(kind, oddity);
    expect(middle instanceof Unreadable).toBe(isUnreadable);
    const { [oddity.field]: _field, ...others } = plain;
    if (middle instanceof Unreadable) {
      expect(middle.part).toEqual(others);
      expect(middle.faults.map(({ path }) => path.split(/[.[]/)[0])).toEqual([oddity.field]);
    } else expect(middle).toMatchObject(others);
  });
});
