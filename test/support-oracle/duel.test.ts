/** The duel finds what differs, shrinks it to few commands, and draws the same commands for the same seed. */

import { describe, expect, it } from 'vitest';
import type { Money } from '../../src/core/number/units.ts';
import type { Command } from '../../src/matching/messages/command.ts';
import type { ExchangeEvent } from '../../src/matching/messages/event.ts';
import { CommandGenerator } from '../support/command-generator.ts';
import { duel, type MakeMachine, rulesOf, shrink } from '../support/matching-duel.ts';
import { positionOf, resultFor } from '../support/oracle/funds.ts';
import { Oracle } from '../support/oracle/oracle.ts';

const SEED = 5;

/** An oracle in the machine's place, which tells its events through a filter. */
function oracleMachine(tell: (event: ExchangeEvent) => ExchangeEvent): MakeMachine {
  return (rules) => {
    const oracle = new Oracle(rules);
    let accounts = oracle.accounts();
    return {
      apply(command) {
        const events = oracle.apply(command).map(tell);
        accounts = oracle.accounts();
        return events;
      },
      account: (wallet, currency) => accounts.find((one) => one.wallet === wallet && one.currency === currency),
      exposures(wallet, market) {
        const { win, lose } = positionOf(oracle.world.markets[market]!, wallet);
        return win.map((_, winner) => resultFor([winner], win, lose));
      },
      prices: () => [],
      lastTicks: (market) => oracle.world.markets[market]!.lastTicks,
    };
  };
}

function drawn(commands: number): Command[] {
  const oracle = new Oracle(rulesOf(SEED));
  const generator = new CommandGenerator(SEED, oracle.world);
  return Array.from({ length: commands }, () => {
    const command = generator.next();
    oracle.apply(command);
    return command;
  });
}

describe('the duel', () => {
  it('draws the same commands for the same seed', () => {
    expect(drawn(500)).toEqual(drawn(500));
  });

  it('finds nothing between the oracle and itself', () => {
    const makeMachine = oracleMachine((event) => event);
    expect(duel({ seed: SEED, commands: 200, makeMachine })).toBeUndefined();
  });

  it('finds one unit too much in a cross match, and shrinks the way there to the makers and the taker', () => {
    const makeMachine = oracleMachine((event) =>
      event.kind === 'orderMatched' && event.price % 10 !== 0 ? { ...event, stake: (event.stake + 1) as Money } : event,
    );
    // The first seed that comes to such a match, and not so early that little is left to shrink.
    let seed = 0;
    let difference: ReturnType<typeof duel>;
    do {
      seed += 1;
      difference = duel({ seed, commands: 1000, makeMachine });
    } while (seed < 50 && (difference === undefined || difference.played.length < 100));
    expect(difference?.found.what).toContain('orderMatched');
    const short = shrink(difference!.played, rulesOf(seed), makeMachine);
    expect(short.length).toBeLessThan(difference!.played.length / 4);
    expect(short.filter((command) => command.kind === 'place').length).toBeLessThanOrEqual(5);
  });
});
