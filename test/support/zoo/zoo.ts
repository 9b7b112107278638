/** The zoo: strategies that do what none should, and what becomes of each. */

import { fileURLToPath } from 'node:url';

/** Halted by their first misdeed, with this code. */
export const HALTED: Readonly<Record<string, 'STRATEGY_THROW' | 'STRATEGY_BAD_RESULT'>> = {
  'order-thief': 'STRATEGY_THROW',
  'order-writer': 'STRATEGY_THROW',
  'market-writer': 'STRATEGY_THROW',
  'outcome-turner': 'STRATEGY_THROW',
  'param-writer': 'STRATEGY_THROW',
  'input-writer': 'STRATEGY_THROW',
  'position-writer': 'STRATEGY_THROW',
  flood: 'STRATEGY_BAD_RESULT',
  hole: 'STRATEGY_BAD_RESULT',
  'proxy-list': 'STRATEGY_THROW',
  'proxy-decision': 'STRATEGY_THROW',
  'throws-null': 'STRATEGY_THROW',
  'throws-symbol': 'STRATEGY_THROW',
  'throws-mute': 'STRATEGY_THROW',
  'throws-proxy': 'STRATEGY_THROW',
  'throws-escapes': 'STRATEGY_THROW',
  'spoils-lists': 'STRATEGY_THROW',
  exits: 'STRATEGY_THROW',
  kills: 'STRATEGY_THROW',
  'sets-timers': 'STRATEGY_THROW',
  rejects: 'STRATEGY_THROW',
  'rejects-nothing': 'STRATEGY_THROW',
  'async-decides': 'STRATEGY_BAD_RESULT',
  'async-throws': 'STRATEGY_BAD_RESULT',
  generates: 'STRATEGY_BAD_RESULT',
  recurses: 'STRATEGY_THROW',
  'wakes-at-no-time': 'STRATEGY_BAD_RESULT',
  'deletes-globals': 'STRATEGY_THROW',
  evaluates: 'STRATEGY_THROW',
  'watch-throws': 'STRATEGY_THROW',
  'facts-writer': 'STRATEGY_THROW',
  'state-throws': 'STRATEGY_THROW',
};

/** Those of them whose misdeed comes to light after the call. */
export const LATE: ReadonlySet<string> = new Set(['rejects', 'rejects-nothing']);

/** They do no harm, not even to themselves: what they ask for is refused, or allowed. */
export const HARMLESS: readonly string[] = [
  'thousand-everywhere',
  'shifting-stake',
  'spoils-objects',
  'spoils-iterators',
  'hungry',
  'wakes-in-the-past',
  'wakes-never',
  'wakes-beyond-timers',
  'stranger',
  'bad-numbers',
  'odd-state',
  'heavy-state',
  'changes-itself',
  'endless-microtasks',
  'keeps-views',
];

/** Not even loaded. */
export const NOT_LOADED: Readonly<Record<string, string>> = {
  'imports-process': 'STRATEGY_IMPORT',
  'imports-children': 'STRATEGY_IMPORT',
  'imports-threads': 'STRATEGY_IMPORT',
  'imports-timers': 'STRATEGY_IMPORT',
  'throws-at-load': 'STRATEGY_THROW',
  'escapes-in-name': 'STRATEGY_SHAPE',
  'getter-plugin': 'STRATEGY_THROW',
};

/** They never end by themselves: a watch from outside must end them. */
export const ENDLESS: readonly string[] = ['loop', 'catching-loop', 'backtracking', 'endless-generator'];

export function animalFile(name: string): string {
  return fileURLToPath(new URL(`./animals/${name}.ts`, import.meta.url));
}
