/** Turns proposed intents into approved orders and cancellations, one by one, each judged with all earlier ones included. */

import { defined } from '../core/checks/assert.ts';
import type { Intent } from '../core/intent.ts';
import { stakeStepOf } from '../core/minimum-stake.ts';
import { decimalOfTick } from '../core/number/ladder.ts';
import { instant, moneyToDecimal } from '../core/number/units.ts';
import type { Refusal } from '../core/refusal.ts';
import { isApproved, judge } from '../risk/judge.ts';
import {
  type CheckedCancelAll,
  type CheckedPlace,
  type CheckedReduce,
  type CheckedReplace,
  checkIntent,
} from '../strategy/decision/check-intent.ts';
import type { Ledger } from './ledger/ledger.ts';
import { OwnOrder } from './ledger/own-order.ts';
import type { Step } from './ledger/step.ts';
import type { StrategyInMarket } from './ledger/strategy-in-market.ts';
import type { RunLog } from './log/run-log.ts';

export interface JudgeParts {
  readonly ledger: Ledger;
  readonly log: RunLog;
  /** Intents of one decision beyond this many are refused, cancellations excepted. */
  readonly intentsMax: number;
  readonly counts: IntentCounts;
}

/** How many intents strategies gave. Each ends as an order that is sent, as a refusal, as a cancellation, or as one that was repeated. */
export interface IntentCounts {
  /** All of them; the order that takes the place of a replaced one is an intent of its own. */
  intended: number;
  /** Intents to cancel, to reduce or to replace that were not refused. To cancel all is one, however many orders it ends. */
  cancellations: number;
  /** Intents to cancel an order whose cancellation was under way already: they change nothing, and are neither refused nor logged. */
  cancellationsRepeated: number;
}

/** Judges all that is proposed in this step. A refusal is logged and changes nothing. */
export function judgeIntents(parts: JudgeParts, step: Step): void {
  for (let i = 0; i < step.proposals.length; i += 1) {
    const inMarket = step.proposals.firsts[i];
    const intents = step.proposals.seconds[i];
    if (inMarket === undefined || intents === undefined) continue;
    parts.counts.intended += intents.length;
    const candidate: Candidate = { step, inMarket, intents, index: 0 };
    for (; candidate.index < intents.length; candidate.index += 1) {
      // A plugin in plain JavaScript may hand in anything, holes included: `checkIntent` refuses what is no intent.
      judgeOne(parts, candidate, intentOf(candidate));
    }
  }
}

/** Whose intent is being judged. One object goes through all intents of a decision. */
interface Candidate {
  readonly step: Step;
  readonly inMarket: StrategyInMarket;
  readonly intents: readonly Intent[];
  /** Position in its decision. */
  index: number;
}

function intentOf({ intents, index }: Candidate): Intent {
  return intents[index] as Intent;
}

function judgeOne(parts: JudgeParts, candidate: Candidate, intent: Intent): void {
  const { ledger } = parts;
  const checked = checkIntent(intent, ledger.scopeOf(candidate.inMarket.instance));
  switch (checked.kind) {
    case 'refused':
      return refuse(parts, candidate, checked.refusal);
    case 'cancel':
      return cancelOne(parts, candidate, checked.order);
    case 'cancelAll':
      return cancelAll(parts, candidate, checked);
    case 'reduce':
      return reduceOne(parts, candidate, checked);
    case 'replace':
      return isTooMany(parts, candidate) ? undefined : replace(parts, candidate, checked);
    case 'place':
      return isTooMany(parts, candidate) ? undefined : place(parts, candidate, checked);
  }
}

/** `market`: the one that the refusal is logged under. */
function refuse(
  parts: JudgeParts,
  candidate: Candidate,
  refusal: Refusal,
  market = candidate.inMarket.entry.state.index,
): void {
  const { step, inMarket } = candidate;
  const intent = intentOf(candidate);
  parts.log.logEvent({ kind: 'refused', at: step.at, strategy: inMarket.instance.index, market, refusal, intent });
}

/** Refuses an order beyond the number that one decision may hold. */
function isTooMany(parts: JudgeParts, candidate: Candidate): boolean {
  if (candidate.index < parts.intentsMax) return false;
  refuse(parts, candidate, { code: 'TOO_MANY_INTENTS' });
  return true;
}

function place(parts: JudgeParts, candidate: Candidate, checked: CheckedPlace): void {
  const { ledger, log } = parts;
  const { step } = candidate;
  const { instance } = candidate.inMarket;
  const now = instant(step.at);
  const entry = ledger.entryOf(checked.market);
  if (!ledger.exposure.isOpen(checked.market)) return refuse(parts, candidate, { code: 'MARKET_NOT_OPEN' });
  const { facts } = entry.state;
  const { id, title } = defined(facts.outcomes[checked.outcome], 'a checked outcome is one of the market');
  // One object, written out, is judged, sent and kept: each copy of it would cost as much as all the rest of judging.
  const terms = {
    client: ledger.nextClient,
    strategy: instance.index,
    wallet: instance.wallet,
    market: checked.market,
    outcome: checked.outcome,
    side: checked.side,
    tick: checked.tick,
    stake: checked.stake,
    keepWhenInPlay: checked.keepWhenInPlay,
    matchBehavior: checked.matchBehavior,
    marketId: facts.id,
    marketName: facts.name,
    eventId: facts.eventId,
    outcomeId: id,
    outcomeTitle: title,
    sentAt: now,
    note: checked.note,
  };
  const verdict = judge(terms, {
    exposure: ledger.exposure,
    state: ledger.risk,
    market: entry.state,
    freshAt: entry.freshAt,
    now,
  });
  if (!isApproved(verdict)) return refuse(parts, candidate, verdict, checked.market);
  ledger.takeClient();
  const order = new OwnOrder(terms);
  ledger.addSent(order);
  log.logEvent({ kind: 'sent', at: step.at, order, market: entry.state });
  step.place(order, verdict);
}

function cancelOne(parts: JudgeParts, candidate: Candidate, client: number): void {
  const order = ownOrder(parts, candidate, client);
  if (order === undefined) return;
  if (order.cancelling && order.replacement === undefined) {
    parts.counts.cancellationsRepeated += 1;
    return;
  }
  parts.counts.cancellations += 1;
  cancelWithoutReplacement(parts, candidate.step, order);
}

/** One request at a time: what an earlier one leaves is not known before its answer. */
function reduceOne(parts: JudgeParts, candidate: Candidate, { order: client, stake }: CheckedReduce): void {
  const order = ownOrder(parts, candidate, client);
  if (order === undefined) return;
  const { canReduce, minimumStake } = order.market ?? {};
  if (canReduce !== true) return refuse(parts, candidate, { code: 'NOT_SUPPORTED' });
  if (stake % stakeStepOf(minimumStake) !== 0) return refuse(parts, candidate, { code: 'STAKE_INVALID' });
  if (order.cancelling || order.reducing) return refuse(parts, candidate, { code: 'CANCEL_IN_FLIGHT' });
  parts.counts.cancellations += 1;
  const { step } = candidate;
  parts.ledger.reduce(order, stake, step);
  parts.log.logEvent({ kind: 'reduceSent', at: step.at, order, stake });
}

/** The newest intent counts: where the order was to be replaced, nothing takes its place any more. */
function cancelWithoutReplacement(parts: JudgeParts, step: Step, order: OwnOrder): void {
  order.replacement = undefined;
  if (!order.cancelling) sendCancel(parts, step, order);
}

/** The strategy's own order, if it is live; otherwise the intent is refused with the reason. */
function ownOrder(parts: JudgeParts, candidate: Candidate, client: number): OwnOrder | undefined {
  const order = parts.ledger.order(client);
  if (order === undefined || order.terms.strategy !== candidate.inMarket.instance.index) {
    refuse(parts, candidate, { code: 'UNKNOWN_ORDER' });
  } else if (!order.isLive) {
    refuse(parts, candidate, { code: 'ORDER_NOT_LIVE' });
  } else {
    return order;
  }
  return undefined;
}

function sendCancel(parts: JudgeParts, step: Step, order: OwnOrder): void {
  parts.ledger.cancel(order, step);
  parts.log.logEvent({ kind: 'cancelSent', at: step.at, order });
}

function cancelAll(parts: JudgeParts, candidate: Candidate, which: CheckedCancelAll): void {
  parts.counts.cancellations += 1;
  for (const inMarket of candidate.inMarket.instance.inMarkets.values()) {
    if (which.market !== undefined && inMarket.entry.state.index !== which.market) continue;
    for (const order of inMarket.live) {
      if (which.outcome !== undefined && order.terms.outcome !== which.outcome) continue;
      cancelWithoutReplacement(parts, candidate.step, order);
    }
  }
}

/** The new price and stake are checked now; the placement itself is judged when the cancellation is proven. */
function replace(parts: JudgeParts, candidate: Candidate, wanted: CheckedReplace): void {
  const order = ownOrder(parts, candidate, wanted.order);
  if (order === undefined) return;
  // Unlike a second cancellation this asks for more than is under way: to drop it without a word would lose an order.
  if (order.cancelling || order.reducing) return refuse(parts, candidate, { code: 'CANCEL_IN_FLIGHT' });
  parts.counts.cancellations += 1;
  const stake = wanted.stake === undefined ? undefined : moneyToDecimal(wanted.stake);
  order.replacement = {
    price: decimalOfTick(wanted.tick),
    stake,
    note: wanted.note ?? order.terms.note,
    voidedBefore: order.voidedMoney,
  };
  sendCancel(parts, candidate.step, order);
}
