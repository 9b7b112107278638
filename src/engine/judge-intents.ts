/** Turns wishes into approved orders and cancellations, one by one, each judged with all earlier ones included. */

import { defined } from '../core/checks/assert.ts';
import type { Intent } from '../core/intent.ts';
import { decimalOfTick } from '../core/number/ladder.ts';
import { instant, moneyToDecimal } from '../core/number/units.ts';
import type { RefusalCode } from '../core/refusal.ts';
import { isApproved, judge } from '../risk/judge.ts';
import {
  type CheckedCancelAll,
  type CheckedPlace,
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
  readonly counts: WishCounts;
}

/** Each wish ends as one of three: an order that is sent, a refusal, a cancellation. */
export interface WishCounts {
  /** What takes the place of a replaced order is a wish of its own. */
  intended: number;
  /** Wishes to cancel or to replace that were not refused. To cancel all is one, however many orders that ends. */
  cancellations: number;
}

/** A refusal is a value and changes nothing. */
export function judgeIntents(parts: JudgeParts, step: Step): void {
  for (let i = 0; i < step.proposalCount; i += 1) {
    const inMarket = step.proposers[i];
    const intents = step.proposals[i];
    if (inMarket === undefined || intents === undefined) continue;
    parts.counts.intended += intents.length;
    for (let index = 0; index < intents.length; index += 1) {
      // A plugin in plain JavaScript may hand in anything, holes included: checking says so.
      const intent = intents[index] as Intent;
      judgeOne(parts, { step, inMarket, intent, index });
    }
  }
}

interface Case {
  readonly step: Step;
  readonly inMarket: StrategyInMarket;
  readonly intent: Intent;
  /** Position in its decision. */
  readonly index: number;
}

function judgeOne(parts: JudgeParts, item: Case): void {
  const { ledger } = parts;
  const { step, inMarket } = item;
  const checked = checkIntent(item.intent, ledger.scopeOf(inMarket.instance));
  switch (checked.kind) {
    case 'refused':
      return parts.log.refused(step.at, inMarket.instance.index, inMarket.entry.state.index, checked.refusal);
    case 'cancel':
      return cancelOne(parts, item, checked.order);
    case 'cancelAll':
      return cancelAll(parts, item, checked);
    case 'replace':
      return item.index >= parts.intentsMax ? refuse(parts, item, 'TOO_MANY_INTENTS') : replace(parts, item, checked);
    case 'place':
      return item.index >= parts.intentsMax ? refuse(parts, item, 'TOO_MANY_INTENTS') : place(parts, item, checked);
  }
}

function refuse(parts: JudgeParts, item: Case, code: RefusalCode): void {
  parts.log.refused(item.step.at, item.inMarket.instance.index, item.inMarket.entry.state.index, { code });
}

function place(parts: JudgeParts, item: Case, checked: CheckedPlace): void {
  const { ledger, log } = parts;
  const { step } = item;
  const { instance } = item.inMarket;
  const now = instant(step.at);
  const entry = ledger.entryOf(checked.market);
  if (!ledger.exposure.isOpen(checked.market)) return refuse(parts, item, 'MARKET_NOT_OPEN');
  const { facts } = entry.state;
  const { id, title } = defined(facts.outcomes[checked.outcome], 'a checked outcome is one of the market');
  // One object, written out, is what is judged, sent and kept: each copy of it would cost as much as all the rest.
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
    outcomeId: id,
    outcomeTitle: title,
    sentAt: now,
  };
  const verdict = judge(terms, {
    exposure: ledger.exposure,
    state: ledger.risk,
    market: entry.state,
    freshAt: entry.freshAt,
    now,
  });
  if (!isApproved(verdict)) return log.refused(step.at, instance.index, checked.market, verdict);
  ledger.takeClient();
  const own = new OwnOrder(terms);
  ledger.sent(own);
  log.sent(step.at, own);
  step.place(own, verdict);
}

function cancelOne(parts: JudgeParts, item: Case, client: number): void {
  const order = ownOrder(parts, item, client);
  if (order === undefined) return;
  parts.counts.cancellations += 1;
  sendCancel(parts, item.step, order);
}

/** The strategy's own order, if it can be cancelled; else says why not. */
function ownOrder(parts: JudgeParts, item: Case, client: number): OwnOrder | undefined {
  const order = parts.ledger.order(client);
  if (order === undefined || order.terms.strategy !== item.inMarket.instance.index) {
    refuse(parts, item, 'UNKNOWN_ORDER');
  } else if (!order.isLive) {
    refuse(parts, item, 'ORDER_NOT_LIVE');
  } else if (isBeingCancelled(order)) {
    refuse(parts, item, 'CANCEL_IN_FLIGHT');
  } else {
    return order;
  }
  return undefined;
}

function isBeingCancelled(order: OwnOrder): boolean {
  return order.inFlight === 'cancel' || order.cancelWanted || order.isCancelTaken;
}

function sendCancel(parts: JudgeParts, step: Step, order: OwnOrder): void {
  parts.ledger.cancel(order, step);
  parts.log.cancelSent(step.at, order);
}

function cancelAll(parts: JudgeParts, item: Case, propose: CheckedCancelAll): void {
  parts.counts.cancellations += 1;
  for (const inMarket of item.inMarket.instance.inMarkets.values()) {
    if (propose.market !== undefined && inMarket.entry.state.index !== propose.market) continue;
    for (const order of inMarket.live) {
      if (propose.outcome !== undefined && order.terms.outcome !== propose.outcome) continue;
      if (!isBeingCancelled(order)) sendCancel(parts, item.step, order);
    }
  }
}

/** The new price and stake are checked now; the placement itself is judged when the cancellation is proven. */
function replace(parts: JudgeParts, item: Case, propose: CheckedReplace): void {
  const order = ownOrder(parts, item, propose.order);
  if (order === undefined) return;
  parts.counts.cancellations += 1;
  const stake = propose.stake === undefined ? undefined : moneyToDecimal(propose.stake);
  order.replacement = { price: decimalOfTick(propose.tick), stake };
  sendCancel(parts, item.step, order);
}
