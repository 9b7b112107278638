/** How many transactions an account has used: Betfair charges for those of an hour beyond a free number (profile section 3). */

import type { Instant } from '../../core/number/units.ts';

const HOUR_MS = 3_600_000;
const FREE_AN_HOUR = 5_000;
/** In hundredths of a penny, so that sums are exact. */
const CHARGE = 20;
const CHARGES_A_UNIT = 10_000;

export interface TransactionSums {
  /** Bets that were placed, also those of a replacement. */
  readonly placed: number;
  /** Instructions that failed. A cancellation that succeeds is no transaction. */
  readonly failed: number;
  readonly mostInAnHour: number;
  /** What Betfair would have charged, in units of the account's currency. It is not taken from the account. */
  readonly charge: number;
}

export class Transactions {
  readonly #byAccount = new Map<number, { placed: number; failed: number; readonly byHour: Map<number, number> }>();

  note(app: number, at: Instant, { placed, failed }: { readonly placed: number; readonly failed: number }): void {
    const known = this.#byAccount.get(app) ?? { placed: 0, failed: 0, byHour: new Map<number, number>() };
    const hour = Math.floor(at / HOUR_MS);
    known.placed += placed;
    known.failed += failed;
    known.byHour.set(hour, (known.byHour.get(hour) ?? 0) + placed + failed);
    this.#byAccount.set(app, known);
  }

  of(app: number): TransactionSums {
    const { placed, failed, byHour } = this.#byAccount.get(app) ?? { placed: 0, failed: 0, byHour: new Map() };
    const hours: readonly number[] = [...byHour.values()];
    const charged = hours.reduce((sum, count) => sum + Math.max(0, count - FREE_AN_HOUR), 0);
    return { placed, failed, mostInAnHour: Math.max(0, ...hours), charge: (charged * CHARGE) / CHARGES_A_UNIT };
  }
}

interface Reports {
  readonly instructionReports?: readonly { readonly status: string }[] | undefined;
}

/** The operations whose instructions are transactions, and whether one that succeeds places a bet. */
const PLACES: ReadonlyMap<string, boolean> = new Map([
  ['placeOrders', true],
  ['replaceOrders', true],
  ['cancelOrders', false],
  ['updateOrders', false],
]);

/** What a call that was answered with this result used; undefined for an operation without transactions. */
export function transactionsIn(
  operation: string,
  result: unknown,
): { readonly placed: number; readonly failed: number } | undefined {
  const places = PLACES.get(operation);
  if (places === undefined) return undefined;
  // Safe cast: the results of these four operations have such reports.
  const { instructionReports = [] } = result as Reports;
  const succeeded = instructionReports.filter(({ status }) => status === 'SUCCESS').length;
  return { placed: places ? succeeded : 0, failed: instructionReports.length - succeeded };
}
