/** Names the cause of each difference, or the difference that it follows from. */

import { defined } from '../../core/checks/assert.ts';
import type { ParityCause, ParityDifference } from '../../report/parity/parity.ts';
import type { Evidence, Named } from './evidence.ts';
import type { Found } from './found.ts';
import { REFUSAL_ORIGINS } from './refusal-origins.ts';
import { laneName } from './step-sequence.ts';

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
  /** By the client of the run, or of the replay where the run has none. */
  readonly #firstOfOrder = new Map<string, DifferenceChain>();
  /** The first after which the two sent other orders: what rests on all of them together may differ from then on. */
  #apart: DifferenceChain | undefined;

  constructor(evidence: Evidence) {
    this.#evidence = evidence;
  }

  name(found: Found, number: number): ParityDifference {
    const before = this.#followed(found);
    const own = before === undefined ? this.#ownCause(found) : undefined;
    const chain = before ?? { number, cause: own?.cause ?? 'unexplained', areOrdersApart: false };
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
      ...(before === undefined
        ? { details: own?.details ?? '' }
        : { details: `follows from ${before.number}`, follows: before.number }),
    };
  }

  /** The chain that the difference belongs to; undefined for one that has a cause of its own. */
  #followed(found: Found): DifferenceChain | undefined {
    const ofOrder = this.#firstOfOrder.get(orderKey(found));
    if (ofOrder !== undefined) return ofOrder;
    const chain = this.#openChain(found);
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
        if (chain === undefined && restsOnAllOrders(found)) return this.#apart;
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
    const key = orderKey(found);
    if (key !== '' && !this.#firstOfOrder.has(key)) this.#firstOfOrder.set(key, chain);
  }
}

function orderKey({ runOrder, replayOrder }: Found): string {
  if (runOrder !== undefined) return `run ${runOrder.client}`;
  return replayOrder === undefined ? '' : `replay ${replayOrder.client}`;
}

function isFilledAlone({ step, runStep, replayStep, runOrder, replayOrder }: Found): boolean {
  if (step !== 'order' || (runStep !== undefined && replayStep !== undefined)) return false;
  return ((runOrder ?? replayOrder)?.reports ?? []).some(({ stakeMatched }) => stakeMatched > 0);
}

/** Whether a refusal rests on what all strategies of the run sent until then. */
function restsOnAllOrders({ runStep, replayStep }: Found): boolean {
  const code = (runStep ?? replayStep)?.code;
  if (code === undefined) return false;
  const origin = REFUSAL_ORIGINS[code];
  return origin === 'together' || origin === 'rate';
}
