/** Lines that a client of the stream should not send: broken JSON, wrong types, odd values in each field. */

import type { Random } from '../../../src/core/number/random.ts';

const VALUES: readonly unknown[] = [
  ...[null, true, 0, -1, 1e308, 2 ** 53, 0.5, '', 'x', '1.1', [], {}, [[]], [null], [1], ['1.200000001'], { a: 1 }],
  ...['__proto__', '\u0000', '\ud800', 'x'.repeat(5_000), 'clk.0', '0.0', '-1.0', 'zzzzzzzzzz.zzzzzzzzzz'],
  ...[Array.from({ length: 3_000 }, (_, each) => `1.${each}`), { toString: 1 }, { length: -1 }],
];
const FIELDS = [
  ...['op', 'id', 'appKey', 'session', 'marketFilter', 'marketDataFilter', 'orderFilter', 'heartbeatMs', 'conflateMs'],
  ...['segmentationEnabled', 'initialClk', 'clk', '__proto__', 'constructor', 'other'],
];
const INNER = [
  ...['marketIds', 'eventTypeIds', 'eventIds', 'marketTypes', 'countryCodes', 'venues', 'bettingTypes', 'bspMarket'],
  ...['turnInPlayEnabled', 'raceTypes', 'fields', 'ladderLevels', 'includeOverallPosition', 'customerStrategyRefs'],
  ...['partitionMatchedByStrategyRef', 'accountIds', '__proto__'],
];
const OPS = ['marketSubscription', 'orderSubscription', 'authentication', 'heartbeat', 'status', 'toString'];

export function hostileLine(random: Random): string {
  const one = <T>(values: readonly T[]): T => values[random.below(values.length)] as T;
  const kind = random.below(10);
  if (kind === 0) return one(['{', '[]', 'null', '7', '"x"', '\u0000', '{"op":}', 'GET / HTTP/1.1', '{}'.repeat(3)]);
  const request: Record<string, unknown> = { op: one(OPS), id: random.below(100) };
  for (let more = random.below(4); more > 0; more -= 1) {
    const name = one(['marketFilter', 'marketDataFilter', 'orderFilter']);
    request[name] = Object.fromEntries([[one(INNER), one(VALUES)]]);
  }
  if (kind < 6) Object.defineProperty(request, one(FIELDS), { value: one(VALUES), enumerable: true });
  const line = JSON.stringify(request);
  return kind === 1 ? line.slice(0, random.below(line.length - 1) + 1) : line;
}
