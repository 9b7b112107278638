/** What a kill stage must know of an exchange besides its control surface: who bets there, what it says, and what its faults are called. */

import type { ControlClient } from '../../vendor/control-client.ts';
import type { SandboxFacts } from '../../vendor/sandbox-process.ts';
import type { Json } from '../../vendor/vendor-client.ts';
import { openBetdexSide } from './betdex-side.ts';
import { openBetfairSide } from './betfair-side.ts';
import type { ExchangeSide } from './exchange-books.ts';
import type { Person } from './person.ts';

export interface KillExchange {
  readonly control: ControlClient;
  /** The account that the daemon trades for, used by others with the same key. */
  readonly owner: Person;
  readonly maker: Person;
  /** Of the owner, in decimals. */
  readonly balance: number;
  readonly currencyId: string;
  /** The types of the sandbox's own markets. */
  readonly crowdTypes: readonly string[];
  /** The lines of a daemon's configuration that are of this exchange. */
  readonly config: string;
  readonly env: Readonly<Record<string, string>>;
  /** Whether it can cancel a part of an order. */
  readonly reduces: boolean;
  /** Characters of the longest reference. */
  readonly referenceMax: number;
  /** All that it says of the owner's orders, positions and money. */
  books(): Promise<ExchangeSide>;
  /** A fault, which is written in BetDEX's words, as its control surface takes it. */
  faultOf(fault: Json): Json;
}

export type ExchangeName = 'betdex' | 'betfair';

export const SANDBOX_ARGS: Readonly<Record<ExchangeName, readonly string[]>> = { betdex: [], betfair: ['--betfair'] };

/** `directory`: where the sandbox runs. */
export function openExchange(
  name: ExchangeName,
  sandbox: SandboxFacts & { readonly directory: string },
): Promise<KillExchange> {
  return name === 'betdex' ? openBetdexSide(sandbox) : openBetfairSide(sandbox);
}
