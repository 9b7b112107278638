/** An error while an update of a tape fills an order is reported as what it is, and not as damage of the tape. */

import { expect, test } from 'vitest';
import { NO_TICK } from '../../src/core/number/ladder.ts';
import { money } from '../../src/core/number/units.ts';
import { AGAINST } from '../../src/core/side.ts';
import { Tape } from '../../src/recording/tape/tape.ts';
import { applyUpdate } from '../../src/simulator/overlay/apply-update.ts';
import { fillRulesOf } from '../../src/simulator/overlay/fill-rules.ts';
import { OverlayLiquidity } from '../../src/simulator/overlay/overlay-liquidity.ts';
import { OwnOrders } from '../../src/simulator/overlay/own-orders.ts';
import { RecordedBook } from '../../src/simulator/overlay/recorded-book.ts';
import { SAMPLE_TAPE } from '../support/places.ts';

const LARGE = money(1_000_000_000);

test('a RangeError of a fill passes through the reading of the tape unchanged', () => {
  const fault = new RangeError('the exchange failed');
  const tape = Tape.open(SAMPLE_TAPE);
  try {
    const book = new RecordedBook(tape.markets[0]?.facts.outcomes.length ?? 0);
    const fillResting = (): never => {
      throw fault;
    };
    const rules = fillRulesOf('optimistic');
    const model = new OverlayLiquidity({ book, orders: new OwnOrders(), rules, sink: { fillResting } });
    const cursor = tape.cursor({ markets: [0] });
    expect(() => {
      for (let update = cursor.nextPending(); update !== undefined; update = cursor.nextPending()) {
        applyUpdate(book, [model], update);
        const best = model.bestTick(0, AGAINST);
        if (model.isIdle && best !== NO_TICK)
          model.rest({ slot: 1, outcome: 0, side: AGAINST, tick: best, stake: LARGE });
      }
    }).toThrow(fault);
    expect(model.isIdle).toBe(false);
  } finally {
    tape.close();
  }
});
