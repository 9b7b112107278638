/** A life in which one call is lost, cut or never answered, or one line of the stream: what the run knows is what the exchange has. */

import { expect, test } from 'vitest';
import type { FeedChoice } from '../../../src/exchange-live/settings.ts';
import { operationIn } from '../../support/betfair/face-transport.ts';
import { type Hurt, type HurtAt, hurtLife } from '../../support/betfair/hurt-life.ts';
import { budget } from '../../support/budget.ts';

const POLLED: FeedChoice = { kind: 'poll', everyMs: 1_000 };
const STREAMED: FeedChoice = { kind: 'stream', rereadMs: 10_000 };
const CALL_HURTS = budget<readonly Hurt[]>({
  brief: ['lost after'],
  each: ['lost before', 'lost after', 'cut in the middle', 'never answered'],
  deep: ['lost before', 'lost after', 'cut in the middle', 'never answered'],
});
const LINE_HURTS = budget<readonly Hurt[]>({
  brief: ['lost before'],
  each: ['lost before', 'lost after', 'cut in the middle'],
  deep: ['lost before', 'lost after', 'cut in the middle'],
});
/** Of calls and lines of one kind all are hurt, each in a life of its own, or the first. */
const EACH_KIND = budget({ each: 1, deep: Number.POSITIVE_INFINITY });

/** The first of each kind, and their indexes among all. */
function indexesByKind(kinds: readonly string[]): readonly number[] {
  const seen = new Map<string, number>();
  return kinds.flatMap((kind, index) => {
    const before = seen.get(kind) ?? 0;
    seen.set(kind, before + 1);
    return before < EACH_KIND ? [index] : [];
  });
}

/** What a message is: its op, its type, and whether it has a definition, prices or orders. */
function kindOfLine(line: string): string {
  const { op, ct = '', mc = [], oc = [] } = JSON.parse(line);
  const holds = mc.some(({ marketDefinition }: { marketDefinition?: unknown }) => marketDefinition !== undefined);
  return [op, ct, holds ? 'definition' : '', mc.length + oc.length > 0 ? 'changes' : ''].join(' ');
}

async function livesWith(choice: FeedChoice, hurts: readonly HurtAt[], nameOf: (at: HurtAt) => string): Promise<void> {
  for (const at of hurts)
    await hurtLife(choice, at).catch((error: unknown) => {
      throw new Error(`${nameOf(at)} ${at.hurt}: ${error instanceof Error ? error.message : ''}`, { cause: error });
    });
}

test.each([
  ['polled', POLLED],
  ['streamed', STREAMED],
] as const)(
  'a call that is hurt changes nothing in what is known at the end, %s',
  async (_, choice) => {
    const { calls } = await hurtLife(choice);
    const operations = calls.map(operationIn);
    for (const each of [
      '/api/login',
      'placeOrders',
      'cancelOrders',
      'listCurrentOrders',
      'listClearedOrders',
      'heartbeat',
    ])
      expect(operations).toContain(each);
    const hurts = indexesByKind(operations).flatMap((index) =>
      CALL_HURTS.map((hurt): HurtAt => ({ what: 'call', index, hurt })),
    );
    await livesWith(choice, hurts, ({ index }) => `${operations[index]}, call ${index},`);
  },
  600_000,
);

test('a line of the stream that is lost or cut changes nothing in what is known at the end', async () => {
  const { lines } = await hurtLife(STREAMED);
  const kinds = lines.map(kindOfLine);
  expect(new Set(kinds).size).toBeGreaterThanOrEqual(8);
  const hurts = indexesByKind(kinds).flatMap((index) =>
    LINE_HURTS.map((hurt): HurtAt => ({ what: 'line', index, hurt })),
  );
  await livesWith(STREAMED, hurts, ({ index }) => `${kinds[index]}, line ${index},`);
}, 600_000);
