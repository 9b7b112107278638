/** Of an intent that both sides of a comparison decided, and that one of them refused: which side, by what, and against what. */

import type { REFUSALS, RefusalCode } from '../../core/refusal.ts';
import { isAskedBefore } from './refusal-origins.ts';
import type { Found } from './steps/found.ts';
import type { OrderStory, Step } from './steps/step.ts';

/** The same intent of the same decision, refused by one side and not, or by a later rule, by the other. */
export interface RefusalDispute {
  readonly refusal: Step;
  readonly passed: Step;
  /** Who refused. */
  readonly who: 'run' | 'replay';
  /** When each side judged it. */
  readonly runAt: number;
  readonly replayAt: number;
}

/** Undefined where the two did not decide the same, or where neither refused. */
export function disputeOf({ runStep, replayStep, counterpart }: Found): RefusalDispute | undefined {
  if (counterpart === undefined) return undefined;
  const isOfReplay = runStep === undefined || (replayStep !== undefined && replayStep.at < runStep.at);
  const step = isOfReplay ? replayStep : runStep;
  if (step === undefined) return undefined;
  const [ofRun, ofReplay] = isOfReplay ? [counterpart, step] : [step, counterpart];
  const times = { runAt: ofRun.at, replayAt: ofReplay.at };
  if (ofRun.code === ofReplay.code) return undefined;
  // Rules are asked one after the other: whoever was refused by the later one had passed the one before.
  const isRun = ofRun.code !== undefined && (ofReplay.code === undefined || isAskedBefore(ofRun.code, ofReplay.code));
  if (isRun) return { refusal: ofRun, passed: ofReplay, who: 'run', ...times };
  return ofReplay.code === undefined ? undefined : { refusal: ofReplay, passed: ofRun, who: 'replay', ...times };
}

/** What a rule may look at. */
interface Scope {
  readonly strategy?: string | undefined;
  readonly market?: string | undefined;
}

export function scopeOf({ refusal }: RefusalDispute, { strategy, market }: Found): Scope {
  const { code } = refusal;
  const counts: Counts = code !== undefined && Object.hasOwn(COUNTS, code) ? COUNTS[code as CodeOfLimit] : 'all';
  return counts === 'market' ? { market } : counts === 'strategy' ? { strategy } : {};
}

type Counts = 'market' | 'strategy' | 'all';
type CodeOfLimit = {
  [Code in RefusalCode]: (typeof REFUSALS)[Code] extends { readonly limit: string } ? Code : never;
}[RefusalCode];

/** Whose orders a limit counts: those of the market of the order, of its strategy, or all. A limit that is not here does not compile. */
const COUNTS: Readonly<Record<CodeOfLimit, Counts>> = {
  FEED_STALE: 'all',
  HEARTBEAT_NOT_ACTIVE: 'all',
  PRICE_FAR_FROM_BOOK: 'all',
  LIMIT_ORDER: 'all',
  LIMIT_OUTCOME: 'market',
  LIMIT_MARKET: 'market',
  LIMIT_EVENT: 'all',
  LIMIT_STRATEGY: 'strategy',
  LIMIT_WALLET: 'all',
  SELF_MATCH: 'market',
  LIMIT_ORDERS_PER_MARKET: 'market',
  LIMIT_LIVE_ORDERS: 'all',
  LIMIT_RATE: 'all',
  LIMIT_ORDERS_PER_HOUR: 'all',
  LIMIT_DAILY_LOSS: 'all',
  LIMIT_ROLLING_LOSS: 'all',
  COOLING_DOWN: 'all',
  ORDER_TO_MATCH: 'all',
};

export interface BothSides {
  readonly run: Iterable<OrderStory>;
  readonly replay: Iterable<OrderStory>;
  /** Orders of either side, with the same one of the other. */
  readonly partners: ReadonlyMap<OrderStory, OrderStory>;
}

/** The orders that were not in the same state on both sides, at the times at which these judged. */
export function ordersApart(
  { run, replay, partners }: BothSides,
  { runAt, replayAt }: RefusalDispute,
  scope: Scope,
): readonly OrderStory[] {
  const apart: OrderStory[] = [];
  for (const order of run) {
    if (!isInScope(order, scope)) continue;
    const partner = partners.get(order);
    if (stateAt(order, runAt) !== (partner === undefined ? NONE : stateAt(partner, replayAt))) apart.push(order);
  }
  for (const order of replay)
    if (isInScope(order, scope) && !partners.has(order) && stateAt(order, replayAt) !== NONE) apart.push(order);
  return apart;
}

function isInScope({ terms }: OrderStory, { strategy, market }: Scope): boolean {
  return (strategy ?? terms.strategy) === terms.strategy && (market ?? terms.market) === terms.market;
}

/** Nothing that a limit counts. */
const NONE = 'none';

/** What limits count of an order: its live stake, and what was matched. */
function stateAt({ sentAt, rejected, repliedAt, reports }: OrderStory, at: number): string {
  if (sentAt > at) return NONE;
  if (rejected !== undefined && repliedAt !== undefined && repliedAt <= at) return NONE;
  const last = reports.findLast(({ reportedAt }) => reportedAt <= at);
  if (last === undefined) return 'sent';
  if (last.stakeUnmatched === 0 && last.stakeMatched === 0) return NONE;
  return `${last.stakeUnmatched} ${last.stakeMatched} ${last.winningsMatched}`;
}
