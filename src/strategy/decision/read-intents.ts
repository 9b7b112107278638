/** Reads what a strategy gave as intents, each field once, into plain objects of our own. */

import type { Intent } from '../../core/intent.ts';
import { unknownKey, unknownKeyWords } from './known-keys.ts';

/** A longer list is no decision: nobody means that many, and reading on would hold up everyone else. */
export const INTENTS_READ_MAX = 1_000;

/** Ids are short; what is longer names nothing that exists. */
const TEXT_MAX = 256;

const NONE: readonly Intent[] = [];

/** Of each kind, what it may say: a word that nobody knows would change what is done, so that nothing of it may be done. */
const KEYS_BY_KIND: ReadonlyMap<unknown, ReadonlySet<string>> = new Map([
  ['place', new Set(['kind', 'market', 'outcome', 'side', 'price', 'stake', 'keepWhenInPlay', 'matchBehavior'])],
  ['cancel', new Set(['kind', 'order'])],
  ['cancelAll', new Set(['kind', 'market', 'outcome'])],
  ['replace', new Set(['kind', 'order', 'price', 'stake'])],
]);

/** The list is longer than may be read, says something of its length that cannot be, or has an intent with an unknown key. */
export class IntentsUnreadable extends Error {
  override readonly name = 'IntentsUnreadable';
  readonly #isOurs = true;

  /** Asks nothing of the value, which may be a strategy's proxy. */
  static is(thrown: unknown): thrown is IntentsUnreadable {
    return typeof thrown === 'object' && thrown !== null && #isOurs in thrown;
  }
}

/**
 * After this nothing asks the strategy's objects again: a getter is called once, a proxy's answer is the only one. What is
 * no plain value becomes null, which the check of the intent refuses. Throws what the objects throw when they are read, and
 * IntentsUnreadable.
 */
export function readIntents(list: readonly unknown[], most: number = INTENTS_READ_MAX): readonly Intent[] {
  const { length } = list;
  if (length === 0) return NONE;
  if (!(length <= most)) {
    throw new IntentsUnreadable(
      `It gave a list of ${String(length)} intents: at most ${most} of one decision are read.`,
    );
  }
  const intents: Intent[] = [];
  for (let index = 0; index < length; index += 1) intents.push(readIntent(list[index]));
  return intents;
}

/** What the checks refuse as it stands is typed as an intent all the same: they judge what plain JavaScript hands in. */
function readIntent(given: unknown): Intent {
  if (typeof given !== 'object' || given === null) return NO_INTENT;
  const from = given as Readonly<Record<string, unknown>>;
  const kind = from['kind'];
  checkKeys(from, kind);
  switch (kind) {
    case 'place':
      return placeOf(from);
    case 'cancel':
      return { kind: 'cancel', order: plain(from['order']) } as Intent;
    case 'cancelAll':
      return cancelAllOf(plain(from['market']), plain(from['outcome']));
    case 'replace':
      return replaceOf(plain(from['order']), plain(from['price']), plain(from['stake']));
  }
  return NO_INTENT;
}

function checkKeys(from: object, kind: unknown): void {
  const known = KEYS_BY_KIND.get(kind);
  const key = known && unknownKey(from, known);
  if (known === undefined || key === undefined) return;
  throw new IntentsUnreadable(`An intent of kind '${String(kind)}' ${unknownKeyWords(key, known)}`);
}

const NO_INTENT = Object.freeze({ kind: undefined }) as unknown as Intent;

function placeOf(from: Readonly<Record<string, unknown>>): Intent {
  const intent: Record<string, unknown> = {
    kind: 'place',
    market: plain(from['market']),
    outcome: plain(from['outcome']),
    side: plain(from['side']),
    price: plain(from['price']),
    stake: plain(from['stake']),
  };
  const keepWhenInPlay = plain(from['keepWhenInPlay']);
  if (keepWhenInPlay !== undefined) intent['keepWhenInPlay'] = keepWhenInPlay;
  const matchBehavior = plain(from['matchBehavior']);
  if (matchBehavior !== undefined) intent['matchBehavior'] = matchBehavior;
  return intent as unknown as Intent;
}

function cancelAllOf(market: Plain, outcome: Plain): Intent {
  if (outcome !== undefined) return { kind: 'cancelAll', market, outcome } as Intent;
  return (market === undefined ? { kind: 'cancelAll' } : { kind: 'cancelAll', market }) as Intent;
}

function replaceOf(order: Plain, price: Plain, stake: Plain): Intent {
  const intent = { kind: 'replace', order, price };
  return (stake === undefined ? intent : { ...intent, stake }) as Intent;
}

type Plain = string | number | boolean | undefined | null;

function plain(value: unknown): Plain {
  switch (typeof value) {
    case 'number':
    case 'boolean':
    case 'undefined':
      return value;
    case 'string':
      return value.length <= TEXT_MAX ? value : null;
  }
  return null;
}
