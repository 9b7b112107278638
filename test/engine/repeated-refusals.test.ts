/** A run that may not place: its strategies are asked on, and the journal does not fill with what is refused again and again. */

import { describe, expect, it } from 'vitest';
import { REFUSALS, type RefusalCode } from '../../src/core/refusal.ts';
import type { JournalRecord } from '../../src/core/run/journal.ts';
import { RepeatedRefusals, withoutRepeated } from '../../src/engine/log/repeated-refusals.ts';
import { stage } from '../support/engine/bot-stage.ts';
import { sentOrder } from '../support/journal/made-records.ts';

const MINUTES = 60_000;
const CODES = Object.keys(REFUSALS).filter((code): code is RefusalCode => code in REFUSALS);

describe('refusals while halted', () => {
  it('are kept once, and then once a minute with their number; so are the decisions that they answer', () => {
    let asked = 0;
    const bot = stage({
      decide: ({ market }) => {
        asked += 1;
        return [{ kind: 'place', market: market.id, outcome: 'a', side: 'For', price: 2, stake: 1 }];
      },
      limits: { ordersPerMarket: 1 },
    });
    bot.until(3_000);
    bot.bot.halt('command', 'enough');
    bot.until(4_000);
    const [refused, decided, before] = [bot.of('refused').length, bot.of('decided').length, asked];
    bot.until(4_000 + 5 * MINUTES);
    const counted = bot.of('refused').slice(refused);
    expect(asked - before, 'it is asked all the while').toBeGreaterThan(50);
    expect(counted.length).toBeLessThanOrEqual(5);
    expect(counted.every(({ code }) => code === 'HALTED')).toBe(true);
    expect(counted.reduce((sum, { times = 1 }) => sum + times, 0)).toBeGreaterThan(40);
    expect(bot.of('decided').length - decided).toBeLessThanOrEqual(counted.length);
  });

  it('are news again after each move of trading, and an order that passes has its decision before it', () => {
    const bot = stage({
      decide: ({ market, orders }) =>
        orders.length > 0 ? [] : [{ kind: 'place', market: market.id, outcome: 'a', side: 'For', price: 2, stake: 1 }],
    });
    bot.until(3_000);
    bot.bot.halt('command', 'enough');
    bot.until(20_000);
    const halts = bot.of('refused').length;
    bot.bot.resume('command');
    bot.until(25_000);
    bot.bot.halt('command', 'again');
    bot.until(40_000);
    expect(bot.of('refused').length).toBeGreaterThan(halts);
    const kinds = bot.journal.records.map(({ kind }) => kind);
    for (const [index, kind] of kinds.entries())
      if (kind === 'sent') expect(kinds.slice(0, index).lastIndexOf('decided')).toBeGreaterThan(-1);
    expect(kinds[kinds.lastIndexOf('sent') - 1]).toBe('decided');
  });
});

describe('counting', () => {
  const order = { strategy: 's', market: 'm' } as const;
  const halted = { kind: 'refused', ...order, code: 'HALTED' } as const;
  const decided = { kind: 'decided', ...order, why: 'prices', intents: [{ kind: 'cancelAll' }] } as const;

  function counted(): { readonly kept: JournalRecord[]; readonly repeated: RepeatedRefusals } {
    const kept: JournalRecord[] = [];
    return { kept, repeated: new RepeatedRefusals((_, record) => kept.push(record)) };
  }

  it.each(CODES)('%s is kept once, then once a minute of the clock with its number, by strategy and market', (code) => {
    const { kept, repeated } = counted();
    const refused = { ...halted, code };
    const times = (at: number, over: object = {}) => {
      repeated.decided(at, { ...decided, ...over });
      return repeated.refused(at, { ...refused, ...over })?.times ?? kept.length;
    };
    times(1);
    expect(kept).toEqual([decided, refused]);
    times(10);
    times(59_999);
    expect(kept, 'and the decisions that they answer').toHaveLength(2);
    times(20, { market: 'n' });
    times(30, { strategy: 't' });
    expect(kept).toHaveLength(6);
    expect(times(60_000)).toBe(3);
  });

  it('begins anew once an order passed there, and keeps the number', () => {
    const { kept, repeated } = counted();
    for (const at of [1, 2, 3]) repeated.refused(at, halted);
    repeated.other(4, { kind: 'sent', ...sentOrder(1, order) });
    repeated.refused(5, { ...halted, market: 'n' });
    expect(repeated.refused(6, halted)).toMatchObject({ times: 3 });
    expect(repeated.refused(7, halted)).toBeUndefined();
    expect(kept.map(({ kind }) => kind)).toEqual(['refused', 'sent', 'refused', 'refused']);
  });

  it('begins anew where the clock went back', () => {
    const { repeated } = counted();
    repeated.refused(1_000_000, halted);
    expect(repeated.refused(5, halted)).toEqual(halted);
  });

  it('changes nothing in records that were thinned out before', () => {
    const timed: { at: number; record: JournalRecord }[] = [];
    const again = new RepeatedRefusals((at, record) => timed.push({ at, record }));
    for (let at = 0; at < 300_000; at += 700) {
      again.decided(at, decided);
      again.refused(at, halted);
      if (at % 49_000 === 0) again.other(at, { kind: 'sent', ...sentOrder(at, order) });
    }
    expect(timed.length).toBeGreaterThan(20);
    expect(withoutRepeated(timed)).toEqual(timed);
  });
});
