/** Nothing counts before it is whole, and what is not whole or late proves nothing. */

import { expect, test } from 'vitest';
import type { StreamEvent } from '../../../src/betfair/stream/connection/stream-event.ts';
import { requests, StreamRig, upRig } from '../../support/betfair/stream-rig.ts';

type ChangeEvent = Extract<StreamEvent, { kind: 'change' }>;

test('a change before its last segment counts for nothing', () => {
  const rig = new StreamRig({ server: { segmentBytes: 1_000 } });
  rig.client.markets({ marketFilter: { marketIds: [...rig.marketIds(3)] } });
  let segments = 0;
  rig.line.edit = (line) => {
    if (line.includes('"segmentType"')) segments += 1;
    return line.includes('SEG_END') ? undefined : line;
  };
  rig.client.start();
  rig.pass(1_000);
  expect(segments).toBeGreaterThan(2);
  expect(rig.news('change', 'up', 'proven')).toEqual([]);
  rig.line.cut();
  rig.line.edit = (line) => line;
  rig.pass(2_000);
  const [change] = rig.news('change');
  expect(change).toMatchObject({ change: { type: 'image', changes: expect.any(Array) } });
  expect((change as ChangeEvent).change.lines.length).toBeGreaterThan(2);
  expect(requests(rig)[1]).not.toHaveProperty('clk');
});

test('a heartbeat in the middle of a change proves nothing, and its clock is not kept', () => {
  const rig = new StreamRig({ server: { segmentBytes: 1_000 } });
  rig.client.markets({ marketFilter: { marketIds: [...rig.marketIds(3)] } });
  rig.client.start();
  rig.pass(100);
  const { clk } = JSON.parse((rig.news('change')[0] as ChangeEvent).change.lines.at(-1) ?? '');
  // A new image of the same subscription comes, and its end does not.
  const id = 2;
  const say = (message: object) => JSON.stringify({ op: 'mcm', id, pt: rig.stage.builder.now, ...message });
  let sent = 0;
  rig.line.edit = (line) => {
    if (!line.includes('HEARTBEAT')) return line;
    sent += 1;
    return sent === 1 ? say({ ct: 'SUB_IMAGE', segmentType: 'SEG_START' }) : say({ ct: 'HEARTBEAT', clk: 'wrong' });
  };
  rig.pass(5_000);
  expect(sent).toBe(2);
  expect(rig.news('change', 'proven')).toEqual([]);
  rig.line.edit = (line) => line;
  rig.line.cut();
  rig.pass(2_000);
  expect(requests(rig)[1]).toMatchObject({ clk });
});

test('a subscription that is replaced in the middle of a change begins anew', () => {
  const rig = new StreamRig({ server: { segmentBytes: 1_000 } });
  rig.client.markets({ marketFilter: { marketIds: [...rig.marketIds(3)] } });
  rig.line.edit = (line) => (line.includes('SEG_END') ? undefined : line);
  rig.client.start();
  rig.pass(100);
  rig.line.edit = (line) => line;
  rig.client.markets({ marketFilter: { marketIds: [...rig.marketIds(2)] } });
  rig.pass(100);
  expect(rig.news('down', 'change')).toMatchObject([{ kind: 'change', change: { type: 'image' } }]);
});

test('segments of more bytes than the limit end the connection', () => {
  const rig = new StreamRig({ server: { segmentBytes: 1_000 }, limits: { changeBytesMax: 1_500 } });
  rig.client.markets({ marketFilter: { marketIds: [...rig.marketIds(2)] } });
  rig.client.start();
  rig.pass(100);
  expect(rig.news()).toMatchObject([{ kind: 'down', code: 'OVERSIZED' }]);
});

test('what the exchange is late with is not proven until it says so no more', () => {
  const rig = upRig();
  rig.pass(5_000);
  const feeds = () =>
    new Set(
      rig
        .news('proven', 'gap', 'trouble')
        .map((event) => `${event.kind} ${'feed' in event ? event.feed : 'code' in event && event.code}`),
    );
  expect([...feeds()]).toEqual(['proven markets', 'proven orders']);
  rig.line.edit = (line) => (line.includes('"mcm"') ? line.replace('{"op"', '{"status":503,"op"') : line);
  rig.pass(10_000);
  expect([...feeds()]).toEqual(['trouble LATE', 'proven orders']);
  rig.line.edit = (line) => line;
  rig.pass(5_000);
  expect([...feeds()].sort()).toEqual(['gap markets', 'proven markets', 'proven orders']);
});

test('a message that has nothing but a status ends no connection', () => {
  const rig = upRig();
  rig.pass(5_000);
  rig.news();
  // As it was recorded of the real exchange.
  rig.line.edit = (line) => (line.includes('"mcm"') ? `{"op":"mcm","id":${JSON.parse(line).id},"status":503}` : line);
  rig.pass(10_000);
  const kinds = () =>
    rig.news('proven', 'trouble', 'down', 'up').map((each) => ('feed' in each ? each.feed : each.kind));
  expect([...new Set(kinds())]).toEqual(['trouble', 'orders']);
  rig.line.edit = (line) => line;
  rig.pass(5_000);
  expect(new Set(kinds())).toEqual(new Set(['markets', 'orders']));
});

test('a proof is as old as its message is late', () => {
  const rig = upRig();
  rig.pass(2_100);
  rig.news();
  rig.line.delayMs = 700;
  rig.stage.builder.pass(10_000);
  // The newest one is of a heartbeat, which comes every two seconds at least.
  const newest = rig.news('proven').at(-1);
  if (newest?.kind !== 'proven') return expect.fail('nothing is proven');
  expect(newest.latencyMs).toBe(700);
  // Both clocks are the same here, but for the quickest message.
  expect(newest.at - newest.publishedAt).toBeLessThan(100);
  const late = rig.stage.builder.now - newest.at;
  expect(late).toBeGreaterThanOrEqual(699);
  expect(late).toBeLessThan(2_800);
});
