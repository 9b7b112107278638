/** Copies the intents that a strategy returned into plain objects of oddsmith, reading each field once. */

import type { Intent } from '../../core/intent.ts';
import { KnownKeys, unknownKeyText } from './known-keys.ts';

/** Longer lists are refused: they are surely a mistake, and reading them would delay all other strategies. */
export const INTENTS_READ_MAX = 1_000;

/** Characters. Ids are shorter, so a longer text names nothing that exists; a longer note is refused. */
const TEXT_MAX = 256;

const NONE: readonly Intent[] = [];

/**
 * The keys of each kind of intent. An intent with an unknown key is refused as a whole, since ignoring the key would do
 * something else than was meant.
 */
const PLACE_KEYS = new KnownKeys(
  'kind',
  'market',
  'outcome',
  'side',
  'price',
  'stake',
  'keepWhenInPlay',
  'matchBehavior',
  'note',
);
const CANCEL_KEYS = new KnownKeys('kind', 'order');
const CANCEL_ALL_KEYS = new KnownKeys('kind', 'market', 'outcome');
const REDUCE_KEYS = new KnownKeys('kind', 'order', 'stake');
const REPLACE_KEYS = new KnownKeys('kind', 'order', 'price', 'stake', 'note');

/** The list is too long, has an impossible length, or holds an intent with an unknown key. */
export class IntentsUnreadable extends Error {
  override readonly name = 'IntentsUnreadable';
  readonly #isOurs = true;

  /** Reads no property of the value, which may be a strategy's proxy. */
  static is(thrown: unknown): thrown is IntentsUnreadable {
    return typeof thrown === 'object' && thrown !== null && #isOurs in thrown;
  }
}

/**
 * The result no longer refers to the strategy's objects: getters and proxies are read once. A field that is no plain
 * value becomes null, which the check of the intent refuses.
 * @throws IntentsUnreadable, and whatever the strategy's objects throw when they are read
 */
export function readIntents(list: readonly unknown[], most: number = INTENTS_READ_MAX): readonly Intent[] {
  const { length } = list;
  if (length === 0) return NONE;
  if (!(length <= most)) {
    throw new IntentsUnreadable(
      `It gave a list of ${String(length)} intents: at most ${most} of one decision are read.`,
    );
  }
  // `[item]` allocates one element; `push` onto `[]` allocates 17 (V8).
  const intents = [readIntent(list[0])];
  for (let index = 1; index < length; index += 1) intents.push(readIntent(list[index]));
  return intents;
}

/** The result is typed as an intent although it may hold anything: the checks that follow judge it. */
function readIntent(given: unknown): Intent {
  if (typeof given !== 'object' || given === null) return NO_INTENT;
  const from = given as Readonly<Record<string, unknown>>;
  switch (from['kind']) {
    case 'place':
      checkKeys(from, 'place', PLACE_KEYS);
      return placeOf(from);
    case 'cancel':
      checkKeys(from, 'cancel', CANCEL_KEYS);
      return { kind: 'cancel', order: plain(from['order']) } as Intent;
    case 'cancelAll':
      checkKeys(from, 'cancelAll', CANCEL_ALL_KEYS);
      return cancelAllOf(plain(from['market']), plain(from['outcome']));
    case 'reduce':
      checkKeys(from, 'reduce', REDUCE_KEYS);
      return { kind: 'reduce', order: plain(from['order']), stake: plain(from['stake']) } as Intent;
    case 'replace':
      checkKeys(from, 'replace', REPLACE_KEYS);
      return replaceOf(from);
  }
  return NO_INTENT;
}

function checkKeys(from: object, kind: Intent['kind'], keys: KnownKeys): void {
  const key = keys.unknownKey(from);
  if (key !== undefined) throw new IntentsUnreadable(`An intent of kind '${kind}' ${unknownKeyText(key, keys.known)}`);
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
  const note = plain(from['note']);
  if (note !== undefined) intent['note'] = note;
  return intent as unknown as Intent;
}

function cancelAllOf(market: Plain, outcome: Plain): Intent {
  if (outcome !== undefined) return { kind: 'cancelAll', market, outcome } as Intent;
  return (market === undefined ? { kind: 'cancelAll' } : { kind: 'cancelAll', market }) as Intent;
}

function replaceOf(from: Readonly<Record<string, unknown>>): Intent {
  const intent: Record<string, unknown> = {
    kind: 'replace',
    order: plain(from['order']),
    price: plain(from['price']),
  };
  const stake = plain(from['stake']);
  if (stake !== undefined) intent['stake'] = stake;
  const note = plain(from['note']);
  if (note !== undefined) intent['note'] = note;
  return intent as unknown as Intent;
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
