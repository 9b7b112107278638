/** Reads what `decide` returned into one form, and says clearly when it is no decision. */

import type { Decision } from './contract.ts';

export interface BadDecision {
  readonly kind: 'bad';
  /** A sentence. */
  readonly why: string;
}

/** An absent `state` keeps the last one: ask `'state' in decision`. */
export type ReadDecision = (Decision & { readonly kind?: never }) | BadDecision;

const NOTHING: Decision = Object.freeze({});

/** Intents, a decision, or nothing at all (undefined, as a bare `return` gives). Allocates only around a list. */
export function readDecision(returned: unknown): ReadDecision {
  if (returned === undefined) return NOTHING;
  if (Array.isArray(returned)) return returned.length === 0 ? NOTHING : { intents: returned };
  if (typeof returned !== 'object' || returned === null) return bad(`decide returned ${String(returned)}`);
  if ('then' in returned)
    return bad('decide returned a promise: a decision is made at once, so decide must not be async');
  const decision: Readonly<Record<string, unknown>> & Decision = { ...returned };
  if (decision.intents !== undefined && !Array.isArray(decision.intents)) return bad("'intents' is not a list");
  if (decision.wakeAt !== undefined && !Number.isFinite(decision.wakeAt)) {
    return bad(`'wakeAt' must be a time in ms UTC, not ${String(decision.wakeAt)}`);
  }
  for (const key in decision) {
    if (key !== 'intents' && key !== 'state' && key !== 'wakeAt') {
      return bad(`a decision has intents, state and wakeAt, but no '${key}'`);
    }
  }
  return decision;
}

function bad(what: string): BadDecision {
  return {
    kind: 'bad',
    why: `${what[0]?.toUpperCase()}${what.slice(1)}; return a list of intents, or { intents, state, wakeAt }.`,
  };
}
