/** The slow, obvious way to a run's state: every question is asked of all records. It judges the fold. */

import { instant, money } from '../../../src/core/number/units.ts';
import { isLive } from '../../../src/core/order.ts';
import type { JournalKind, JournalRecord, TimedRecord } from '../../../src/core/run/journal.ts';
import type { ReportedOrder, SentOrder } from '../../../src/core/run/kept-order.ts';
import { RiskHistory } from '../../../src/core/run/risk-memory.ts';
import type { RestoredOrder, RestoredResult, RunState } from '../../../src/core/run/run-state.ts';
import { isOlder } from '../../../src/exchange/report-age.ts';

type Of<K extends JournalKind> = Extract<JournalRecord, { readonly kind: K }>;

export function slowRebuild(run: string, records: readonly TimedRecord[]): RunState {
  const last = <K extends JournalKind>(kind: K) => of(records, kind).at(-1)?.record;
  const trading = of(records, 'trading').findLast(({ record }) => isMove(record))?.record;
  return {
    run: last('started')?.run ?? run,
    lastClient: Math.max(0, ...records.flatMap(({ record }) => clientsOf(record))),
    orders: ordersOf(records),
    results: resultsOf(records),
    trading: trading?.to ?? 'running',
    tradingCause: trading?.cause ?? '',
    haltedStrategies: haltedOf(records),
    riskMemory: riskMemoryOf(records),
    heartbeat: last('heartbeat')?.to ?? 'unarmed',
  };
}

function of<K extends JournalKind>(records: readonly TimedRecord[], kind: K) {
  return records.flatMap(({ at, record }, index) =>
    record.kind === kind ? [{ at, index, record: record as Of<K> }] : [],
  );
}

function clientsOf(record: JournalRecord): readonly number[] {
  if ('client' in record) return [record.client];
  return 'clients' in record ? record.clients : [];
}

function ordersOf(records: readonly TimedRecord[]): readonly RestoredOrder[] {
  const placed = [...of(records, 'sent'), ...of(records, 'adopted')];
  return placed
    .flatMap(({ at, index, record }) => {
      const after = records.slice(index + 1).map((each) => each.record);
      if (after.some((each) => each.kind === 'marketDone' && each.market === record.market)) return [];
      const order = orderOf(
        record,
        at,
        after.filter((each) => clientsOf(each).includes(record.client)),
      );
      return order === undefined ? [] : [order];
    })
    .sort((one, other) => one.terms.client - other.terms.client);
}

function orderOf(placed: Of<'sent'> | Of<'adopted'>, sentAt: number, after: readonly JournalRecord[]) {
  let fate: RestoredOrder['fate'] = placed.kind === 'sent' ? 'open' : 'known';
  let report: ReportedOrder | undefined;
  for (const record of after) {
    if (record.kind === 'reappeared') fate = 'known';
    if (record.kind === 'unknown' && fate === 'absent') fate = 'open';
    if (record.kind === 'rejected' && fate !== 'known') {
      if (record.code !== 'PROVEN_ABSENT') return undefined;
      fate = 'absent';
    }
    if (record.kind !== 'reported') continue;
    fate = 'known';
    const { kind: _, ...told } = record;
    if (report === undefined || !isOlder(told, report)) report = told;
    if (!isLive(report.status) && report.stakeMatched === 0 && report.status !== 'Voided') return undefined;
  }
  const terms: SentOrder = termsOf(placed);
  const foreign = placed.kind === 'adopted' ? { foreignOrder: placed.order } : {};
  return { terms, sentAt, fate, ...(report === undefined ? {} : { report }), ...foreign };
}

function termsOf(placed: Of<'sent'> | Of<'adopted'>): SentOrder {
  const { client, strategy, wallet, market, marketName, outcome, outcomeTitle } = placed;
  const { side, tick, stake, keepWhenInPlay, matchBehavior } = placed;
  return {
    ...{ client, strategy, wallet, market, marketName, outcome, outcomeTitle },
    ...{ side, tick, stake, keepWhenInPlay, matchBehavior },
  };
}

/** Those told since the market was last done, by market and then by wallet in the order in which they were first told. */
function resultsOf(records: readonly TimedRecord[]): readonly RestoredResult[] {
  const told = of(records, 'settled').filter(({ index, record }) => !isDoneAfter(records, index, record.market));
  const markets = [...new Set(told.map(({ record }) => record.market))];
  return markets.flatMap((market) => {
    const ofMarket = told.filter(({ record }) => record.market === market).map(({ record }) => record);
    return [...new Set(ofMarket.map(({ wallet }) => wallet))].map((wallet) => {
      const ofWallet = ofMarket.filter((each) => each.wallet === wallet);
      const net = money(ofWallet.reduce((sum, { profit }) => sum + profit, 0));
      return { market, wallet, net, commission: ofWallet.at(-1)?.commission ?? money(0) };
    });
  });
}

function isDoneAfter(records: readonly TimedRecord[], index: number, market: string): boolean {
  return records.slice(index + 1).some(({ record }) => record.kind === 'marketDone' && record.market === market);
}

/** To where it was, all orders were cancelled and nothing else. */
function isMove({ from, to }: Of<'trading'>): boolean {
  return from !== to;
}

function haltedOf(records: readonly TimedRecord[]): RunState['haltedStrategies'] {
  const halted: { strategy: string; code: string }[] = [];
  for (const { record } of records) {
    if (record.kind === 'strategyHalted') {
      const known = halted.find(({ strategy }) => strategy === record.strategy);
      if (known === undefined) halted.push({ strategy: record.strategy, code: record.code });
      else known.code = record.code;
    }
    const isLifting = 'cause' in record && (record.cause === 'resume' || record.cause === 'reload');
    if (record.kind === 'trading' && isMove(record) && record.to === 'running' && isLifting) halted.length = 0;
    if (record.kind === 'strategyLoaded' && isLifting) {
      const index = halted.findIndex(({ strategy }) => strategy === record.strategy);
      if (index >= 0) halted.splice(index, 1);
    }
  }
  return halted;
}

/** What risk itself would remember, told the same in the same order. */
function riskMemoryOf(records: readonly TimedRecord[]) {
  const history = new RiskHistory();
  records.forEach(({ at, record }, index) => {
    const before = records.slice(0, index);
    if (record.kind === 'sent' || record.kind === 'adopted') history.sent(instant(at));
    if (record.kind === 'trading' && isMove(record)) history.moved(record.to, record.by);
    if (record.kind === 'reported' && isFirstMatch(before, record)) history.matched(instant(at));
    if (record.kind !== 'settled') return;
    const results = resultsOf(before);
    const isDifference = results.some((each) => each.market === record.market && each.wallet === record.wallet);
    history.settled({ at: instant(at), profit: record.profit, isDifference });
  });
  return history.memory();
}

function isFirstMatch(before: readonly TimedRecord[], { client, stakeMatched }: Of<'reported'>): boolean {
  if (stakeMatched === 0) return false;
  const order = ordersOf(before).find(({ terms }) => terms.client === client);
  return order !== undefined && (order.report?.stakeMatched ?? 0) === 0;
}
