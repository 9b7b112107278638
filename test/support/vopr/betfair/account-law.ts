/** At rest, the bot's books are the account's: orders, money, what may be lost, and what each market brought, with its commission. */

import { money } from '../../../../src/core/number/units.ts';
import type { JournalRecord } from '../../../../src/core/run/journal.ts';
import { lossInMarket } from '../../risk/held-losses.ts';
import type { BotLife } from '../bot-life.ts';
import { unsettled } from '../convergence.ts';
import type { LawBook } from '../law-book.ts';
import { DUST, worstLoss } from '../true-exposure.ts';
import type { FaceExchange } from './face-exchange.ts';

const MICROS = 1_000_000;

/** What the run's journal says of each market's results. */
export class JournalledResults {
  readonly #sums = new Map<string, { readonly profit: number; readonly commission: number }>();

  note(record: JournalRecord): void {
    if (record.kind !== 'settled') return;
    const profit = (this.#sums.get(record.market)?.profit ?? 0) + record.profit;
    this.#sums.set(record.market, { profit, commission: record.commission });
  }

  of(market: string) {
    return this.#sums.get(market) ?? { profit: 0, commission: 0 };
  }

  get markets(): readonly string[] {
    return [...this.#sums.keys()];
  }
}

/** What is not so, in words; the first few. */
export function accountDifferences(
  life: BotLife | undefined,
  {
    exchange,
    laws,
    results,
  }: { readonly exchange: FaceExchange; readonly laws: LawBook; readonly results: JournalledResults },
): readonly string[] {
  const found = unsettled(life, exchange, laws);
  if (life === undefined || found.length > 0) return found;
  const different = [...fundsDifferences(life, exchange), ...lossDifferences(life, exchange, laws)];
  return [...different, ...resultDifferences(life, exchange, { results, laws })];
}

function fundsDifferences({ ledger }: BotLife, exchange: FaceExchange): readonly string[] {
  const { available, exposure } = exchange.funds();
  const { balance, balanceAvailable } = ledger.walletView(0);
  const isSame = near(balance, available + exposure) && near(balanceAvailable, available);
  return isSame
    ? []
    : [`the account has ${available} and ${exposure}, the ledger says ${balanceAvailable} of ${balance}`];
}

/** Risk counts what may be lost, and no more; of an order that rests at a reduced price, what it may lose at the price that was asked for. */
function lossDifferences({ ledger }: BotLife, exchange: FaceExchange, { orders }: LawBook): readonly string[] {
  return [...orders.byMarket.keys()].flatMap((market) => {
    const results = exchange.resultsOf(market);
    const id = exchange.marketIdOf(market);
    const entry = ledger.entryById(id);
    if (results === undefined || exchange.isOver(market)) return [];
    const all = orders.heldIn(market);
    const truth = worstLoss(all, results);
    const asked = all.map((each) => ({ ...each, order: { ...each.order, tick: each.placed.tick } }));
    const most = worstLoss(asked, results);
    const isOpen = entry !== undefined && ledger.exposure.isOpen(entry.state.index);
    const counted = isOpen ? lossInMarket(ledger.exposure, entry.state.index) : 0;
    const dust = DUST + exchange.winningsStep * all.length;
    return truth - dust <= counted && counted <= most + dust
      ? []
      : [`market ${id} may lose ${truth}, risk counts ${counted}`];
  });
}

/** What others brought in a market that the run never had an order in, while no process lived, is no result of the run. */
function resultDifferences(
  { ledger }: BotLife,
  exchange: FaceExchange,
  { results, laws }: { readonly results: JournalledResults; readonly laws: LawBook },
): readonly string[] {
  const own = new Set([...laws.orders.byClient.values()].map(({ market }) => exchange.marketIdOf(market)));
  for (const market of results.markets) own.add(market);
  const different: string[] = [];
  const told = new Set<string>();
  let sum = 0;
  for (const { marketId, status, profit = 0, commission = 0 } of exchange.verdict().markets) {
    if (status !== 'CLOSED' || !own.has(marketId)) continue;
    told.add(marketId);
    const theirs = { profit: micros(profit - commission), commission: micros(commission) };
    const ours = results.of(marketId);
    sum += theirs.profit;
    if (ours.profit !== theirs.profit || ours.commission !== theirs.commission)
      different.push(`market ${marketId} brought ${JSON.stringify(theirs)}, the journal says ${JSON.stringify(ours)}`);
  }
  for (const market of results.markets)
    if (!told.has(market)) different.push(`market ${market} has a result in the journal alone`);
  const counted = ledger.risk.history.total;
  return counted === sum ? different : [...different, `all results together are ${sum}, risk counts ${counted}`];
}

function micros(units: number): number {
  return money(Math.round(units * MICROS));
}

function near(one: number, other: number): boolean {
  return Math.abs(one - other) < 1e-6;
}
