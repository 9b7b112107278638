/** The player shows only what is there: it waits for parts, and goes on where it was going. */

import { expect, test } from 'vitest';
import type { ViewPart } from '../../../src/pages/view-data.ts';
import type { Answer } from '../../../src/web/view/play/answers.ts';
import { PartCache } from '../../../src/web/view/play/part-cache.ts';
import { Player } from '../../../src/web/view/play/player.ts';
import { madeMarket, madeOrder, madePart } from '../../support/view/made-view.ts';

/** Thirty parts of ten updates, one each 100 ms. */
const PARTS = 30;
const MARKET = madeMarket({
  lastAt: 29_900,
  parts: Array.from({ length: PARTS }, (_, part) => part * 1_000),
  orders: [madeOrder({ decidedAt: 5_050, arrivedAt: 5_100, endedAt: 20_000 })],
});

function timesOf(part: number): readonly number[] {
  return Array.from({ length: 10 }, (_, at) => part * 1_000 + at * 100);
}

class Stage {
  readonly asked: number[] = [];
  readonly cache: PartCache;
  readonly player: Player;
  #answer: ((answer: Answer<ViewPart>) => void) | undefined;

  constructor(at = 0) {
    this.cache = new PartCache({
      market: MARKET.id,
      onChange: () => this.player.settle(),
      ask: (_, part) => {
        this.asked.push(part);
        return new Promise((resolve) => {
          this.#answer = resolve;
        });
      },
    });
    this.player = new Player(MARKET, this.cache, at);
    this.player.settle();
  }

  async answer(answer?: Answer<ViewPart>): Promise<void> {
    const part = this.asked.at(-1) ?? 0;
    const reply = this.#answer;
    this.#answer = undefined;
    reply?.(answer ?? { kind: 'value', value: madePart(part, timesOf(part)) });
    await Promise.resolve();
    await Promise.resolve();
  }

  async answerAll(): Promise<void> {
    while (this.#answer !== undefined) await this.answer();
  }
}

test('the first instant is waited for, and parts ahead of it and one behind are fetched one after another', async () => {
  const stage = new Stage(4_321);
  expect(stage.player.isWaiting).toBe(true);
  expect(stage.player.reel).toBeUndefined();
  await stage.answer();
  expect(stage.player).toMatchObject({ at: 4_321, isWaiting: false });
  expect(stage.player.reel?.applied).toBe(4);
  await stage.answerAll();
  expect(stage.asked).toEqual([4, 5, 6, 3]);
});

test('a seek to what is not there keeps what is shown until it is, and asks for the last one only', async () => {
  const stage = new Stage();
  await stage.answerAll();
  for (const at of [9_000, 15_000, 21_500]) stage.player.seek(at);
  expect(stage.player).toMatchObject({ at: 0, goal: 21_500, isWaiting: true });
  await stage.answer();
  expect(stage.player.at, 'the answer for a place that was passed').toBe(0);
  await stage.answer();
  expect(stage.player).toMatchObject({ at: 21_500, isWaiting: false });
  expect(stage.asked.slice(3, 5)).toEqual([9, 21]);
});

test('it plays forward and backward by its speed, over borders of parts, and stops at the ends', async () => {
  const stage = new Stage(26_000);
  await stage.answerAll();
  stage.player.setSpeed('20');
  stage.player.play(1);
  stage.player.tick(50);
  expect(stage.player.at).toBe(27_000);
  for (let frame = 0; frame < 10; frame += 1) {
    await stage.answerAll();
    stage.player.tick(50);
  }
  expect(stage.player).toMatchObject({ at: 29_900, direction: 0 });
  stage.player.play(-1);
  for (let frame = 0; frame < 40; frame += 1) {
    await stage.answerAll();
    stage.player.tick(50);
  }
  expect(stage.player).toMatchObject({ at: 0, direction: 0 });
  expect(stage.cache.size, 'old parts are let go').toBeLessThanOrEqual(10);
});

test('while a part is missing market time stands still, however long it takes', async () => {
  const stage = new Stage();
  await stage.answer();
  stage.player.setSpeed('100');
  stage.player.play(1);
  for (let frame = 0; frame < 30; frame += 1) stage.player.tick(16);
  const goal = stage.player.goal ?? 0;
  expect(stage.player.at).toBeLessThan(1_000);
  expect(goal).toBeLessThan(2_600);
  await stage.answer();
  expect(stage.player.at).toBe(goal);
});

test('a pause while a part is waited for stays where it was pressed', async () => {
  const stage = new Stage();
  await stage.answer();
  stage.player.setSpeed('500');
  stage.player.play(1);
  stage.player.tick(16);
  expect(stage.player).toMatchObject({ at: 0, goal: 8_000 });
  stage.player.play(0);
  await stage.answerAll();
  expect(stage.player).toMatchObject({ at: 0, isWaiting: false });
});

test('one update after another, in both directions and over the borders of parts', async () => {
  const stage = new Stage(850);
  await stage.answerAll();
  const seen: number[] = [];
  for (const by of [1, 1, 1, -1, -1, -1, -1] as const) {
    stage.player.stepOnce(by);
    await stage.answerAll();
    seen.push(stage.player.at);
  }
  expect(seen).toEqual([900, 1_000, 1_100, 1_000, 900, 800, 700]);
});

test('a step back into a part that is not there goes to its last update', async () => {
  const stage = new Stage(12_000);
  await stage.answer();
  stage.player.stepOnce(-1);
  expect(stage.player).toMatchObject({ at: 12_000, isWaiting: true });
  await stage.answerAll();
  expect(stage.player.at).toBe(11_900);
});

test('from own event to own event', async () => {
  const stage = new Stage();
  await stage.answerAll();
  const seen: number[] = [];
  for (const by of [1, 1, 1, 1, -1] as const) {
    stage.player.stepOwn(by);
    await stage.answerAll();
    seen.push(stage.player.at);
  }
  expect(seen).toEqual([5_050, 5_100, 20_000, 20_000, 5_100]);
});

test('what the server refuses is asked for once, and again when the reader says so', async () => {
  const stage = new Stage();
  await stage.answer({ kind: 'refused', why: 'The tape is damaged.', next: undefined });
  expect(stage.cache.trouble?.why).toBe('The tape is damaged.');
  await stage.answerAll();
  for (let frame = 0; frame < 5; frame += 1) stage.player.settle();
  expect(stage.asked.filter((part) => part === 0)).toHaveLength(1);
  stage.cache.retry();
  await stage.answerAll();
  expect(stage.cache.trouble).toBeUndefined();
  expect(stage.player.isWaiting).toBe(false);
});
