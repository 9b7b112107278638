/** Fills the orders of a run again under each cancellation model, and judges which does it most like the run. */

import type { UpdateSource } from '../../../backtest/simulation/backtest-source.ts';
import { tick as tickOf } from '../../../core/number/ladder.ts';
import { type Instant, instant, money, moneyToDecimal } from '../../../core/number/units.ts';
import type { TimedRecord } from '../../../core/run/journal.ts';
import {
  type CancellationFit,
  type FittedModel,
  type FitVerdict,
  LEFT_OUT_REASONS,
  type LeftOutReason,
} from '../../../result/cancellation-fit.ts';
import type { RunFile } from '../../run/run-file.ts';
import type { Span } from '../evidence.ts';
import { CANDIDATES } from './candidates.ts';
import { type FitMarket, placeOn, type RestedHere, reasonsBefore, restedHere, unitsOf } from './compared-orders.ts';
import { fillError, restedStake, runFilled } from './fill-error.ts';
import { DRAWS, type Judgement, judgeModels } from './judge-models.ts';
import type { PlacedOrder } from './own-levels.ts';
import { type OrderAct, type ReplayedOrders, replayOrders } from './replay-orders.ts';
import { type RunOrder, runOrders } from './run-orders.ts';
import { WithoutOwnStake } from './without-own-stake.ts';

export interface FitParts {
  readonly run: Pick<RunFile, 'mode' | 'inPlayDelay' | 'commission' | 'fillRules' | 'fills' | 'seed'>;
  readonly records: readonly TimedRecord[];
  /** Times at which the process was down. */
  readonly downs: readonly Span[];
  readonly markets: readonly FitMarket[];
  readonly source: UpdateSource;
  readonly signal: AbortSignal;
  readonly onProgress: (played: number, at: number) => void;
}

/** With fewer units that the models fill differently, no model is chosen. */
const TELLING_LEAST = 20;

export async function fitCancellations(parts: FitParts): Promise<CancellationFit> {
  const { run, markets, source, signal, onProgress } = parts;
  const flow = flowOf(parts);
  const alone = run.mode === 'live' ? new WithoutOwnStake(source, flow.replayed) : undefined;
  const replay = await replayOrders({
    run,
    source: alone ?? source,
    acts: actsOf(flow),
    rules: CANDIDATES,
    signal,
    onProgress,
    // Orders of a paper run meet each other. Of a live run those that do are on the tape, and in a model an order that had long
    // been filled in the run would meet later ones.
    ownOrders: run.mode === 'paper' ? 'meet' : 'pass',
  });
  const neverShown = new Set(alone?.neverShown() ?? []);
  const { compared, leftOut } = compare(flow, replay, neverShown);
  const units = unitsOf(compared);
  const filled = fillAll(compared, replay);
  const errors = filled.map((of) => of.errors);
  const judgement = compared.length === 0 ? undefined : judgeModels({ errors, unitOf: units.of, seed: run.seed });
  return {
    mode: run.mode,
    ...(run.mode === 'paper' && { madeBy: { fills: run.fills, model: run.fillRules.cancellations } }),
    from: Math.min(...markets.map(({ firstAt }) => firstAt)),
    to: Math.max(...markets.map(({ lastAt }) => lastAt)),
    updates: replay.updates,
    rested: flow.rested.length + flow.unplaced,
    compared: compared.length,
    leftOut,
    markets: new Set(compared.map(({ market }) => market)).size,
    stakeRested: decimal(compared.reduce((sum, { order }) => sum + restedStake(order), 0)),
    stakeFilled: decimal(compared.reduce((sum, { order, to }) => sum + runFilled(order, to), 0)),
    units: { kind: units.kind, count: units.count, telling: judgement?.deciding ?? 0 },
    draws: DRAWS,
    seed: run.seed,
    models: modelsOf(filled, judgement),
    verdict: verdictOf(judgement),
  };
}

interface Flow {
  /** All orders and cancellations of the replay. */
  readonly replayed: readonly (PlacedOrder & { readonly of: FitMarket })[];
  readonly rested: readonly RestedHere[];
  /** Why each order that rested is not compared, as far as that is known before the replay. */
  readonly reasons: readonly (LeftOutReason | undefined)[];
  /** How many orders rested in markets, or at times, that are on no tape. */
  readonly unplaced: number;
}

/**
 * The orders that are replayed. Of a paper run all of them, because what one takes is gone for the next. Of a live run only those that
 * are compared: what its other orders took is gone from the recorded prices already, and their stake at rest stays in the prices.
 */
function flowOf({ run, records, markets, downs }: FitParts): Flow {
  const byId = new Map(markets.map((market) => [market.id, market]));
  const knownTo = records.at(-1)?.at ?? 0;
  const orders = runOrders(records);
  const placed = orders.flatMap((order) => placeOn(byId, order) ?? []);
  const rested = placed.flatMap((each) => restedHere(each, knownTo) ?? []);
  const reasons = reasonsBefore(rested, { mode: run.mode, downs });
  const all = orders.filter(({ restedAt }) => restedAt !== undefined).length;
  const replayed = run.mode === 'paper' ? placed : rested.filter((_, index) => reasons[index] === undefined);
  return { replayed, rested, reasons, unplaced: all - rested.length };
}

/** The acts in the order of time; those of one instant in the order of the run. */
function actsOf({ replayed, rested }: Flow): readonly OrderAct[] {
  const endOf = new Map(rested.map(({ order, to }) => [order, to]));
  const acts = replayed.flatMap(({ order, market, outcome }): readonly OrderAct[] => {
    const { terms, sentAt, arrivedAt, isFilled, endedAt, cancelSentAt } = order;
    const { client, side, tick, stake, keepWhenInPlay, matchBehavior } = terms;
    const place: OrderAct = {
      at: whole(arrivedAt),
      isAfterUpdates: arrivedAt === sentAt,
      what: { kind: 'place', client, market, outcome, side, tick: tickOf(tick), stake, keepWhenInPlay, matchBehavior },
    };
    const end = isFilled ? endOf.get(order) : endedAt;
    if (end === undefined) return [place];
    // What the exchange voided by its own rules was caused by an update, and the same update voids it in the replay.
    const isAfterUpdates = isFilled || cancelSentAt === undefined || cancelSentAt === end;
    return [place, { at: whole(end), isAfterUpdates, what: { kind: 'cancel', client } }];
  });
  return acts.sort((a, b) => a.at - b.at || Number(a.isAfterUpdates) - Number(b.isAfterUpdates));
}

function whole(at: number): Instant {
  return instant(Math.floor(at));
}

interface Compared {
  readonly compared: readonly RestedHere[];
  readonly leftOut: Record<LeftOutReason, number>;
}

function compare(
  { rested, reasons, unplaced }: Flow,
  replay: ReplayedOrders,
  neverShown: ReadonlySet<RunOrder>,
): Compared {
  const leftOut = Object.fromEntries(LEFT_OUT_REASONS.map((reason) => [reason, 0])) as Record<LeftOutReason, number>;
  leftOut.notRecorded = unplaced;
  const compared: RestedHere[] = [];
  for (const [index, each] of rested.entries()) {
    const reason = reasons[index] ?? reasonAfter(each, replay, neverShown);
    if (reason === undefined) compared.push(each);
    else leftOut[reason] += 1;
  }
  return { compared, leftOut };
}

function reasonAfter(
  { order, from }: RestedHere,
  { fills, refused }: ReplayedOrders,
  neverShown: ReadonlySet<RunOrder>,
): LeftOutReason | undefined {
  const { client } = order.terms;
  if (neverShown.has(order)) return 'notShown';
  const tookOtherwise = fills.some((byClient) => {
    const taken = (byClient.get(client) ?? [])
      .filter(({ at }) => at <= from)
      .reduce((sum, fill) => sum + fill.stake, 0);
    return taken !== order.taken;
  });
  return tookOtherwise || refused.has(client) ? 'metOtherwise' : undefined;
}

interface Filled {
  readonly errors: Float64Array;
  readonly stake: number;
}

/** What each model filled of each order. */
function fillAll(compared: readonly RestedHere[], { fills }: ReplayedOrders): readonly Filled[] {
  return fills.map((byClient) => {
    const all = compared.map((each) => fillError(each, byClient.get(each.order.terms.client) ?? []));
    return {
      errors: new Float64Array(all.map(({ error }) => error)),
      stake: all.reduce((sum, { filled }) => sum + filled, 0),
    };
  });
}

function modelsOf(filled: readonly Filled[], judgement: Judgement | undefined): readonly FittedModel[] {
  if (judgement === undefined) return [];
  return judgement.models.map(({ error, worseBy, isLike }, index) => ({
    model: CANDIDATES[index] ?? 'pro-rata',
    stakeFilled: decimal(filled[index]?.stake ?? 0),
    error,
    worseBy,
    isLike,
  }));
}

/** If the two extreme models cannot be distinguished, no models can. */
function verdictOf(judgement: Judgement | undefined): FitVerdict {
  const tooFew = { kind: 'tooFew', tellingLeast: TELLING_LEAST } as const;
  if (judgement === undefined || judgement.deciding < TELLING_LEAST) return tooFew;
  const { models, best } = judgement;
  const alike = CANDIDATES.filter((_, index) => index !== best && models[index]?.isLike === true);
  const chosen = CANDIDATES[best] ?? 'pro-rata';
  const all = [chosen, ...alike];
  if (all.includes('ahead') && all.includes('behind')) return tooFew;
  return { kind: 'told', best: chosen, alike, choose: all.includes('pro-rata') ? 'pro-rata' : chosen };
}

function decimal(stake: number): number {
  return moneyToDecimal(money(stake));
}
