/** Reads what `decide` returned into one form, and explains what is wrong with anything that is no decision. */

import type { Intent } from '../../core/intent.ts';
import type { Decision } from '../contract.ts';
import { unknownKeyText } from './known-keys.ts';
import { INTENTS_READ_MAX, IntentsUnreadable, readIntents } from './read-intents.ts';

export interface BadDecision {
  readonly kind: 'bad';
  /** A sentence for the user. */
  readonly why: string;
}

/** A decision without the key `state` keeps the last state: test with `'state' in decision`. */
export type ReadDecision = (Decision & { readonly kind?: never }) | BadDecision;

const NOTHING: Decision = Object.freeze({});
const KEYS: ReadonlySet<string> = new Set(['intents', 'state', 'wakeAt']);
/** An object with more keys is refused at once, without reading them. */
const KEYS_MAX = 16;

/**
 * Accepts a list of intents, a decision object, or undefined, as a bare `return` gives. Each property is read once, so
 * that what is checked is what is used. Rethrows what the returned object throws when it is read.
 */
export function readDecision(returned: unknown, most: number = INTENTS_READ_MAX): ReadDecision {
  if (returned === undefined) return NOTHING;
  if (Array.isArray(returned)) return readList(returned, most);
  if (typeof returned !== 'object' || returned === null) {
    return bad(`decide returned ${typeof returned === 'object' ? 'null' : textFor(returned)}`);
  }
  const unfit = notAtOnce(returned);
  return unfit === undefined ? readRecord(returned, most) : bad(unfit);
}

function readList(list: readonly unknown[], most: number): ReadDecision {
  try {
    const intents = readIntents(list, most);
    return intents.length === 0 ? NOTHING : { intents };
  } catch (error) {
    if (IntentsUnreadable.is(error)) return { kind: 'bad', why: error.message };
    throw error;
  }
}

function readRecord(returned: object, most: number): ReadDecision {
  const keys = Object.keys(returned);
  if (keys.length > KEYS_MAX) return bad(`a decision has intents, state and wakeAt, not ${keys.length} keys`);
  const decision: { intents?: readonly Intent[]; state?: unknown; wakeAt?: number } = {};
  for (const key of keys) {
    const value: unknown = Reflect.get(returned, key);
    if (key === 'state') decision.state = value;
    else if (key === 'intents') {
      if (value === undefined) continue;
      if (!Array.isArray(value)) return bad("'intents' is not a list");
      const read = readList(value, most);
      if (read.kind === 'bad') return read;
      decision.intents = read.intents ?? [];
    } else if (key === 'wakeAt') {
      if (value === undefined) continue;
      if (typeof value !== 'number' || !Number.isFinite(value))
        return bad(`'wakeAt' must be a time in ms UTC, not ${textFor(value)}`);
      decision.wakeAt = value;
    } else if (key === 'kind') return bad('decide returned one intent and no list: put it into one, as in [back(…)]');
    else return { kind: 'bad', why: `A decision ${unknownKeyText(key, KEYS)}` };
  }
  return decision;
}

/** Names promises and iterators, which have no own keys and would count as a decision to do nothing. */
function notAtOnce(returned: object): string | undefined {
  if ('then' in returned) return 'decide returned a promise: a decision is made at once, so decide must not be async';
  if (Symbol.iterator in returned || Symbol.asyncIterator in returned)
    return 'decide returned an iterator: a decision is made at once, so decide must be no generator';
  return undefined;
}

/** Any value as a part of a sentence. */
function textFor(value: unknown): string {
  if (typeof value === 'string') return `'${value.slice(0, 100)}'`;
  if (typeof value === 'object' || typeof value === 'function') return `a value of type ${typeof value}`;
  return String(value);
}

function bad(what: string): BadDecision {
  return {
    kind: 'bad',
    why: `${what[0]?.toUpperCase()}${what.slice(1)}; return a list of intents, or { intents, state, wakeAt }.`,
  };
}
