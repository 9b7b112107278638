/** What the dashboard asks of a sandbox, whichever exchange it speaks as: its world, its commands, and its words. */

import type { Figure } from '../../../../../pages/figure.ts';
import type { CommandOption } from '../../../../../pages/panels.ts';
import type { LiveContext } from '../../../../../sandbox/context/live-context.ts';
import type { LocalControl } from '../../../../../sandbox/control/local-control.ts';
import type { AppRecord, MarketRecord, WalletRecord } from '../../../../../sandbox/world/records.ts';
import type { World } from '../../../../../sandbox/world/world.ts';

/** A world with the names and words of a face. */
export interface NamedWorld {
  readonly context: Pick<LiveContext, 'world'>;
  readonly control: Pick<LocalControl, 'names'>;
  readonly words: FaceWords;
}

export interface ShownSandbox extends NamedWorld {
  readonly url: string;
  readonly context: LiveContext;
  readonly control: LocalControl;
  /** Where it is reached. */
  readonly facts: readonly Figure[];
  /** How many sessions of an app, by the exchange machine's number, are open at `now`. */
  sessionsOf(app: number, now: number): number;
}

export interface FaceWords {
  /** What somebody who trades here has: an app, or an account. */
  readonly app: 'app' | 'account';
  /** Whether an app trades for somebody outside. */
  readonly isUser: (app: AppRecord) => boolean;
  /** What a wallet is called beside its owner; empty where an owner has one alone. */
  readonly walletName: (wallet: WalletRecord) => string;
  /** Which requests a fault can be for. */
  readonly requests: readonly RequestOption[];
  /** Others that faults are for, whose command names none. */
  readonly otherRequests: readonly RequestOption[];
  /** A market with its name and its outcomes' as clients read them. */
  readonly named: (market: MarketRecord, world: World) => MarketRecord;
  /** The id by which its owner knows an order; undefined where it is the machine's number. */
  readonly orderId: (order: number) => string | undefined;
  /** What the owner of an order noted at it. */
  readonly noteOf: (reference: string | undefined) => string | undefined;
}

/** A kind of requests, by the words of the page; without operations it is all of them. */
export type RequestOption = CommandOption & { readonly operations: readonly string[] | undefined };
