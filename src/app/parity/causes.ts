/** Names the cause of each difference, or the difference that it follows from. */

import { defined } from '../../core/checks/assert.ts';
import type { ParityCause, ParityDifference } from '../../result/parity.ts';
import type { Evidence, Named } from './evidence.ts';
import type { Excess } from './rate-windows.ts';
import { disputeOf, type RefusalDispute } from './refusal-dispute.ts';
import { REFUSAL_ORIGINS } from './refusal-origins.ts';
import type { Found } from './steps/found.ts';
import type { OrderStory, Step } from './steps/step.ts';
import { laneName } from './steps/step-sequence.ts';

/** So many equal steps in a row say that the two are together again, where nothing of the orders says otherwise. */
const TOGETHER_AFTER = 5;

/** A difference and all that it led to in one strategy and market. */
interface DifferenceChain {
  readonly number: number;
  readonly cause: ParityCause;
  /** Orders that only one side has, or that were filled differently: positions stay apart until the market ends. */
  areOrdersApart: boolean;
}

/**
 * In the order of time. A difference that has a cause of its own begins a chain; what differs later in the same strategy
 * and market follows from it, until the two are together again. An answer to an order, its fills and its end are judged
 * by the order itself, which both sides sent.
 */
export function nameCauses(found: readonly Found[], evidence: Evidence): readonly ParityDifference[] {
  const namer = new Namer(evidence);
  return found.map((each, index) => namer.name(each, index + 1));
}

class Namer {
  readonly #evidence: Evidence;
  readonly #chains = new Map<string, DifferenceChain>();
  /** Keyed by the client of the run, or of the replay where the run has none. */
  readonly #firstOfOrder = new Map<string, DifferenceChain>();
  /** Keyed by each step that differs. */
  readonly #ofStep = new Map<Step, DifferenceChain>();
  /** Keyed by each order that only one side sent, or that the two sent at other times. */
  readonly #ofOrder = new Map<OrderStory, DifferenceChain>();
  /** The first after which the two sent other orders: a model that draws delays one after the other differs from then on. */
  #apart: DifferenceChain | undefined;

  constructor(evidence: Evidence) {
    this.#evidence = evidence;
  }

  name(found: Found, number: number): ParityDifference {
    const judged = this.#judged(found);
    const before = 'number' in judged ? judged : undefined;
    const chain = before ?? { number, cause: judged.cause, areOrdersApart: false };
    this.#remember(found, chain);
    const { at, strategy, market, step, run, replay } = found;
    return {
      number,
      at,
      strategy,
      market,
      step,
      ...(run === undefined ? {} : { run }),
      ...(replay === undefined ? {} : { replay }),
      cause: chain.cause,
      ...('number' in judged
        ? { details: `follows from ${judged.number}`, follows: judged.number }
        : { details: judged.details }),
    };
  }

  /** The chain that the difference belongs to, or the cause of its own. */
  #judged(found: Found): DifferenceChain | Named {
    const { counterpart } = found;
    const same = this.#firstOfOrder.get(orderKey(found)) ?? (counterpart && this.#ofStep.get(counterpart));
    if (same !== undefined) return same;
    const dispute = disputeOf(found);
    return dispute === undefined ? (this.#followed(found) ?? this.#ownCause(found)) : this.#ofDispute(found, dispute);
  }

  /** Both decided the same, so that only what the rule looks at can be the reason, and no chain that is open for another. */
  #ofDispute(found: Found, dispute: RefusalDispute): DifferenceChain | Named {
    const { code = 'LIMIT_RATE' } = dispute.refusal;
    switch (REFUSAL_ORIGINS[code]) {
      case 'rate':
        return this.#evidence.rateMovedBetween(dispute) ?? this.#ofRate(dispute);
      case 'together':
        return this.#evidence.movedBetween(found, dispute) ?? this.#ofTogether(found, dispute);
      case 'orders':
        return this.#openChain(found) ?? this.#evidence.ofDispute(found, dispute);
      case 'alone':
      case 'guard':
        return this.#evidence.ofDispute(found, dispute);
    }
  }

  /** Only what makes room for the order, if it is taken away, is the cause that there was none. */
  #ofRate(dispute: RefusalDispute): DifferenceChain | Named {
    const { excess, needed } = this.#evidence.rateProof(dispute);
    const chains = excess.map((each) => this.#chainOf(each));
    const followed = chains.filter((chain) => chain !== undefined).sort((a, b) => a.number - b.number);
    const byTime = excess.filter(({ reason }) => reason === 'time');
    const known = excess.filter(({ reason }, index) => reason !== undefined || chains[index] !== undefined);
    const [first] = followed;
    if (first !== undefined && followed.length >= needed) return first;
    if (byTime.length >= needed) return this.#evidence.rateCause('latency', dispute, byTime);
    if (known.length < needed) return this.#evidence.rateCause('unexplained', dispute, excess);
    return first ?? this.#evidence.rateCause('operator', dispute, known);
  }

  /** The first order that one side knew in another state: it has a chain already, or the two only knew of it at other times. */
  #ofTogether(found: Found, dispute: RefusalDispute): DifferenceChain | Named {
    const apart = this.#evidence.ordersApart(found, dispute);
    for (const order of apart) {
      const chain = this.#ofOrder.get(order) ?? this.#firstOfOrder.get(orderKey({ runOrder: order }));
      if (chain !== undefined) return chain;
    }
    const [order] = apart;
    return this.#evidence.ofTogether(dispute, order);
  }

  /** The chain of a refusal of the order, of the order itself where it differs, or of the decision that led to it. */
  #chainOf({ order, differs, refusals }: Excess): DifferenceChain | undefined {
    for (const refusal of refusals) {
      const chain = this.#ofStep.get(refusal);
      if (chain !== undefined) return chain;
    }
    if (order === undefined || !differs) return undefined;
    return this.#ofOrder.get(order) ?? (order.origin && this.#ofStep.get(order.origin.decision));
  }

  /** The chain that the difference belongs to; undefined for one that has a cause of its own. */
  #followed(found: Found): DifferenceChain | undefined {
    const { runStep, replayStep } = found;
    const origin = (runStep ?? replayStep)?.origin;
    // A decision may send orders to other markets than its own.
    const chain = this.#openChain(found) ?? (origin && this.#ofStep.get(origin.decision));
    switch (found.step) {
      case 'settlement':
        return this.#chainOfMarket(found.market);
      case 'reply':
      case 'fill':
      case 'end':
        return this.#evidence.isModelled
          ? (chain ?? this.#chainOfMarket(found.market) ?? this.#drawn(found))
          : undefined;
      case 'refusal':
        return chain;
      case 'decision':
      case 'order':
      case 'cancel':
        return this.#evidence.interrupts(found) === undefined ? chain : undefined;
    }
  }

  /** Of a model that draws delays one after the other, and judges funds, each order bears on all that come later. */
  #drawn({ step }: Found): DifferenceChain | undefined {
    return step === 'reply' ? this.#apart : undefined;
  }

  #ownCause(found: Found): Named {
    const { how } = found;
    if (how !== undefined) return this.#evidence.ofOrder(found, how);
    if (found.step === 'settlement') return this.#evidence.ofSettlement(found);
    return this.#evidence.ofStep(found);
  }

  #openChain({ strategy, market, sameBefore }: Found): DifferenceChain | undefined {
    const name = laneName(strategy, market);
    const chain = this.#chains.get(name);
    if (chain === undefined || chain.areOrdersApart || sameBefore < TOGETHER_AFTER) return chain;
    this.#chains.delete(name);
    return undefined;
  }

  #chainOfMarket(market: string): DifferenceChain | undefined {
    for (const [name, chain] of this.#chains) if (name.endsWith(` ${market}`)) return chain;
    return undefined;
  }

  #remember(found: Found, chain: DifferenceChain): void {
    const { strategy, market, step } = found;
    const name = laneName(strategy, market);
    if (!this.#chains.has(name) || step !== 'reply') this.#chains.set(name, this.#chains.get(name) ?? chain);
    const open = defined(this.#chains.get(name), 'a difference is in a chain');
    if (step === 'fill' || isFilledAlone(found)) open.areOrdersApart = true;
    if (step === 'order' || step === 'cancel' || step === 'decision') this.#apart ??= chain;
    for (const each of [found.runStep, found.replayStep]) {
      if (each === undefined) continue;
      if (!this.#ofStep.has(each)) this.#ofStep.set(each, chain);
      if (each.kind === 'order' && each.order !== undefined) this.#ofOrder.set(each.order, chain);
    }
    const key = orderKey(found);
    if (key !== '' && !this.#firstOfOrder.has(key)) this.#firstOfOrder.set(key, chain);
  }
}

function orderKey({ runOrder, replayOrder }: Pick<Found, 'runOrder' | 'replayOrder'>): string {
  if (runOrder !== undefined) return `run ${runOrder.client}`;
  return replayOrder === undefined ? '' : `replay ${replayOrder.client}`;
}

function isFilledAlone({ step, runStep, replayStep, runOrder, replayOrder }: Found): boolean {
  if (step !== 'order' || (runStep !== undefined && replayStep !== undefined)) return false;
  return ((runOrder ?? replayOrder)?.reports ?? []).some(({ stakeMatched }) => stakeMatched > 0);
}
