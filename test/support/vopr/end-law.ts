/** A run that is asked to end does so in order: by its configuration nothing of it stays at the exchange. */

import type { BotLife } from './bot-life.ts';
import type { ExchangeWorld } from './exchange-world.ts';
import type { LawBook } from './law-book.ts';
import type { Scenario } from './scenario.ts';
import type { SisterRun } from './sister-run.ts';

export interface EndParts {
  readonly life: BotLife;
  readonly laws: LawBook;
  readonly scenario: Pick<Scenario, 'bot'>;
  readonly exchange: ExchangeWorld;
  readonly sister?: Pick<SisterRun, 'hasOrders'> | undefined;
}

/** What is wrong, after its deadline. */
export function brokenEnd({ life, laws, scenario, exchange, sister }: EndParts): string | undefined {
  const { end, heartbeat } = scenario.bot;
  if (life.outcome !== 'ended') return 'it goes on';
  const [order] = end.orders === 'cancel' ? laws.live() : [];
  if (order !== undefined) return `order ${order} lives on`;
  // Where an order cannot be cancelled any more, its market being locked, the heartbeat is left to lapse; so it is where
  // it watches over orders of another run of the app.
  const isClear = laws.isClear() && sister?.hasOrders !== true;
  const left = exchange.machine.heartbeat(exchange.app);
  const stands = left !== undefined && (left.active || exchange.lapseBlocks);
  return isClear && heartbeat?.atEnd === 'clear' && stands ? 'the heartbeat stands' : undefined;
}
