/** A complete bot over the gateway, with the same pipeline, strategy and risk as in every run. */

import { describe, expect } from 'vitest';
import { moneyToDecimal } from '../../../src/core/number/units.ts';
import { Engine } from '../../../src/engine/engine.ts';
import { newInstance } from '../../../src/engine/ledger/strategy-in-market.ts';
import type { RunEvent } from '../../../src/engine/log/run-log.ts';
import { Transcript } from '../../../src/engine/log/transcript.ts';
import { pipeline } from '../../../src/engine/pipeline.ts';
import type { StrategyPlugin } from '../../../src/strategy/contract.ts';
import type { BookView } from '../../../src/strategy/views/views.ts';
import { describeCases, type Scene } from '../../support/conformance/stage.ts';
import { HALT, testSupervisor } from '../../support/engine/test-supervisor.ts';

/** The engine's inputs about its orders, in words. */
class Story extends Transcript {
  readonly reported: string[] = [];

  override logEvent(event: RunEvent): void {
    super.logEvent(event);
    if (event.kind !== 'reported') return;
    const { order, report } = event;
    this.reported.push(`${order.id} ${report.status} ${moneyToDecimal(report.stakeMatched)}`);
  }
}

/** Takes what is offered at 2.0 or better on the first outcome once, then quotes 5 at 3.0 until that is matched. */
const trader: StrategyPlugin = {
  name: 'trader',
  decide({ market, orders, position }) {
    const [first] = market.outcomes;
    if (first === undefined || orders.length > 0) return [];
    const place = { kind: 'place', market: market.id, outcome: first.id, side: 'For' } as const;
    const { stake } = position.matched(first.id, 'For');
    if (stake === 0) return (first.bestAgainst?.price ?? 0) >= 2 ? [{ ...place, price: 2, stake: 10 }] : [];
    return stake < 15 ? [{ ...place, price: 3, stake: 5 }] : [];
  },
};

function textOf(book: BookView): string {
  const levels = book.levels('For').map(({ price, stake }) => `${stake} at ${price}`);
  return levels.join(', ');
}

/** Quotes 5 at 3.0 on the first outcome until it is met or may not any more, and tells what it sees there: what all offer, and what the others do. */
function quoter(seen: Set<string>, mayQuote: () => boolean): StrategyPlugin {
  return {
    name: 'quoter',
    decide({ market, orders }) {
      const [first] = market.outcomes;
      if (first === undefined) return [];
      seen.add(`${textOf(first)} / ${textOf(first.others)}`);
      const [own] = orders;
      if (own !== undefined) return mayQuote() || own.cancelling ? [] : [{ kind: 'cancel', order: own.id }];
      if (!mayQuote()) return [];
      return [{ kind: 'place', market: market.id, outcome: first.id, side: 'For', price: 3, stake: 5 }];
    },
  };
}

function botOn(scene: Scene, plugin = trader) {
  const story = new Story('');
  const instances = [newInstance({ index: 0, plugin, params: {}, wallet: 0, signals: new Map() })];
  const { clock, gateway } = scene.stage;
  const engineSupervisor = testSupervisor({ gateway, timeoutMs: 60_000 });
  const engine = new Engine({ instances, limits: {}, log: story, intentsMax: 10, engineSupervisor });
  const running = pipeline({ clock, gateway, engine }).subscribe();
  return { engine, running, reported: story.reported };
}

export const botCases = describeCases(({ on }) => {
  describe('a bot', () => {
    on('takes a price, quotes another, is met, and knows what it stands to lose', async (scene) => {
      const { engine, running, reported } = botOn(scene);
      const required = () => moneyToDecimal(engine.ledger.exposure.requiredOfWallet(0));
      await scene.market.rest({ outcome: 0, side: 'Against', price: 2.1, stake: 50 });
      await scene.stage.until(() => reported.includes('1 Matched 10'), 'the first fill');
      await scene.stage.until(() => reported.includes('2 Unmatched 0'), 'the quote');
      expect(required()).toBe(15);
      await scene.market.take({ outcome: 0, side: 'For', price: 3, stake: 2 });
      await scene.stage.until(() => reported.includes('2 PartiallyMatched 2'), 'a fill of the quote');
      await scene.market.take({ outcome: 0, side: 'For', price: 3, stake: 9 });
      await scene.stage.until(() => reported.includes('2 Matched 5'), 'the whole quote');
      expect(required()).toBe(15);
      expect(engine.counts.intended).toBe(2);
      await scene.market.settle(1);
      await scene.stage.until(() => scene.messages('settled').length > 0, 'the settlement');
      await scene.stage.until(() => required() === 0, 'nothing at stake');
      running.unsubscribe();
    });

    on('is shown its own orders in the book, and the book of the others without them', async (scene) => {
      const seen = new Set<string>();
      let isOver = false;
      const { running, reported } = botOn(
        scene,
        quoter(seen, () => !isOver),
      );
      const shown = (books: string) => scene.stage.until(() => seen.has(books), books);
      await scene.market.rest({ outcome: 0, side: 'For', price: 3.2, stake: 4 });
      await scene.stage.until(() => reported.includes('1 Unmatched 0'), 'the quote');
      await scene.market.rest({ outcome: 0, side: 'For', price: 3.4, stake: 6 });
      await shown('5 at 3, 4 at 3.2, 6 at 3.4 / 4 at 3.2, 6 at 3.4');
      await scene.market.rest({ outcome: 0, side: 'For', price: 3, stake: 7 });
      await shown('12 at 3, 4 at 3.2, 6 at 3.4 / 7 at 3, 4 at 3.2, 6 at 3.4');
      await scene.market.take({ outcome: 0, side: 'For', price: 3, stake: 2 });
      await scene.stage.until(() => reported.includes('1 PartiallyMatched 2'), 'a fill of the quote');
      isOver = true;
      await scene.market.rest({ outcome: 0, side: 'For', price: 3.4, stake: 8 });
      await scene.stage.until(() => reported.includes('1 Matched 2'), 'the cancellation');
      seen.clear();
      await scene.market.rest({ outcome: 0, side: 'For', price: 3.6, stake: 1 });
      await shown('7 at 3, 4 at 3.2, 14 at 3.4 / 7 at 3, 4 at 3.2, 14 at 3.4');
      running.unsubscribe();
    });

    on('leaves nothing in the market when it is halted', async (scene) => {
      const { engine, running, reported } = botOn(scene);
      await scene.market.rest({ outcome: 0, side: 'Against', price: 2, stake: 4 });
      await scene.stage.until(() => reported.includes('1 PartiallyMatched 4'), 'a fill in part');
      engine.enqueue(HALT);
      await scene.stage.until(() => reported.includes('1 Matched 4'), 'the cancellation');
      expect(scene.market.amountAt({ outcome: 0, side: 'For', price: 2 })).toBe(0);
      expect(moneyToDecimal(engine.ledger.exposure.requiredOfWallet(0))).toBe(4);
      running.unsubscribe();
    });
  });
});
