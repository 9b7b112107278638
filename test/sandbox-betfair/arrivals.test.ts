/** The same arrivals give the same ledger, bet by bet, and what is written of them tells no secret. */

import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { Tape } from '../../src/recording/tape/tape.ts';
import type { LivingWorld } from '../../src/sandbox-betfair/living-world.ts';
import { replay } from '../../src/sandbox-betfair/replay.ts';
import { accountsIn } from '../../src/sandbox-betfair/state/accounts.ts';
import { budget } from '../support/budget.ts';
import { ArrivalsStage, KEY, trafficOf } from '../support/sandbox-betfair/arrivals-stage.ts';

const tape = Tape.open(fileURLToPath(new URL('../../backtest/sample.tape', import.meta.url)));
afterAll(() => tape.close());

const onBug = (error: unknown) => {
  throw error;
};

/** All bets that are not cleared away, and those that are. */
function betsOf({ context, state }: LivingWorld) {
  const { world } = context;
  return [...accountsIn(world)].map(({ wallet }) => ({
    live: [...state.bets.ofWallet(wallet)],
    cleared: [...(world.cleared?.ofWallet(wallet) ?? [])],
  }));
}

test('the same arrivals give the same ledger, over seeds', () => {
  let holds = 0;
  for (let seed = 1; seed <= budget({ each: 1, deep: 100 }); seed += 1) {
    const stage = new ArrivalsStage(tape, seed);
    stage.play(500);
    const accounts = stage.end();
    const written = stage.arrivals.map((arrival) => JSON.stringify(arrival));
    for (const secret of stage.secrets()) expect(written.filter((line) => line.includes(secret))).toEqual([]);
    holds += stage.arrivals.filter(({ kind }) => kind === 'hold').length;
    const arrivals = written.map((line) => JSON.parse(line));
    const answers: string[] = [];
    const onSaid = ({ to, text }: { readonly to: object; readonly text: string }) => {
      if ('path' in to) answers.push(text);
    };
    const again = replay({ arrivals, startTraffic: trafficOf(tape, seed, onBug), onSaid });
    expect(again.accounts).toEqual(accounts);
    expect(again.world.context.world.exchange.digest()).toBe(stage.world.context.world.exchange.digest());
    expect(betsOf(again.world)).toEqual(betsOf(stage.world));
    const named = stage.answers.map((text) =>
      stage.tokens.reduce(
        (told, token, at) => told.replaceAll(token, `session-${at + 1}`),
        text.replaceAll(KEY, 'key-1'),
      ),
    );
    expect(answers).toEqual(named);
    expect(accounts.some(({ bets }) => bets.sizeMatched > 0)).toBe(true);
  }
  expect(holds).toBeGreaterThan(0);
});
