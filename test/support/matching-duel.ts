/** Puts the oracle and the exchange machine through the same commands, and finds and shrinks their first difference. */

import type { Command } from '../../src/matching/messages/command.ts';
import type { ExchangeEvent } from '../../src/matching/messages/event.ts';
import type { PriceLevel } from '../../src/matching/state/visible-prices.ts';
import { CommandGenerator } from './command-generator.ts';
import type { Coverage } from './coverage.ts';
import { type AccountView, Oracle } from './oracle/oracle.ts';
import type { OracleRules } from './oracle/world.ts';

/** What the oracle is compared with. */
export interface Machine {
  /** Does a command and returns its events. */
  apply(command: Command): readonly ExchangeEvent[];
  account(wallet: number, currency: number): Omit<AccountView, 'wallet' | 'currency'> | undefined;
  /** What a wallet has matched in a market if the outcome wins, by outcome; undefined where it has no position. */
  exposures(wallet: number, market: number): readonly bigint[] | undefined;
  /** What a market shows, with synthetic stake. */
  prices(market: number): readonly PriceLevel[];
  /** Where each outcome of a market was matched last. */
  lastTicks(market: number): readonly (number | undefined)[];
}

export type MakeMachine = (rules: OracleRules) => Machine;

export interface Difference {
  /** What kind of difference it is, so that shrinking does not end at another one. */
  readonly sort: string;
  /** Index of the command at which the two part. */
  readonly index: number;
  readonly command: Command;
  readonly what: string;
  readonly oracle: readonly ExchangeEvent[];
  readonly machine: readonly ExchangeEvent[];
}

export interface Duel {
  readonly seed: number;
  readonly commands: number;
  readonly makeMachine: MakeMachine;
  readonly coverage?: Coverage;
}

/** Every fourth seed runs under the published rule, which crosses at exact prices only; every other one removes as Betfair does, and every third lets a lapsed app place. */
export function rulesOf(seed: number): OracleRules {
  return {
    crossMatching: seed % 4 === 3 ? 'exact' : 'rounded',
    betfairRemovals: seed % 2 === 0,
    lapseBlocks: seed % 3 !== 0,
  };
}

/** Plays a seed; returns the commands so far and the first difference, or undefined where there is none. */
export function duel({
  seed,
  commands,
  makeMachine,
  coverage,
}: Duel): { played: Command[]; found: Difference } | undefined {
  const rules = rulesOf(seed);
  const oracle = new Oracle(rules);
  const machine = makeMachine(rules);
  const generator = new CommandGenerator(seed, oracle.world);
  const played: Command[] = [];
  for (let index = 0; index < commands; index++) {
    const command = generator.next();
    played.push(command);
    const found = step({ oracle, machine }, { command, index }, coverage);
    if (found !== undefined) return { played, found };
  }
  return undefined;
}

/** Plays given commands instead of drawn ones. */
export function replay(
  commands: readonly Command[],
  rules: OracleRules,
  makeMachine: MakeMachine,
): Difference | undefined {
  const oracle = new Oracle(rules);
  const machine = makeMachine(rules);
  for (const [index, command] of commands.entries()) {
    const found = step({ oracle, machine }, { command, index });
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Pair {
  readonly oracle: Oracle;
  readonly machine: Machine;
}

function step(
  { oracle, machine }: Pair,
  { command, index }: { command: Command; index: number },
  coverage?: Coverage,
): Difference | undefined {
  const expected = oracle.apply(command);
  const differs = (what: string, events: readonly ExchangeEvent[]) => ({
    sort: sortOf(command, what, [expected, events]),
    index,
    command,
    what,
    oracle: expected,
    machine: events,
  });
  let events: readonly ExchangeEvent[];
  try {
    events = machine.apply(command);
  } catch (error) {
    return differs(`the machine threw: ${error instanceof Error ? error.stack : error}`, []);
  }
  coverage?.count(command, expected, oracle.world);
  const what =
    eventDifference(expected, events) ??
    balanceDifference(oracle, machine) ??
    positionDifference(oracle, machine) ??
    lastPriceDifference(oracle, machine) ??
    crossedBook(oracle, machine, coverage);
  return what === undefined ? undefined : differs(what, events);
}

function sortOf(command: Command, what: string, [a, b]: readonly (readonly ExchangeEvent[])[]): string {
  const at = a!.findIndex((event, index) => !sameEvent(event, b![index]));
  const kinds = at < 0 ? what.slice(0, 8) : `${JSON.stringify(a![at]).replace(/\d+/g, '#')} ${b![at]?.kind}`;
  return `${command.kind} ${kinds}`;
}

function eventDifference(expected: readonly ExchangeEvent[], events: readonly ExchangeEvent[]): string | undefined {
  for (let i = 0; i < Math.max(expected.length, events.length); i++) {
    if (!sameEvent(expected[i], events[i])) {
      return `event ${i}:\n  oracle  ${JSON.stringify(expected[i])}\n  machine ${JSON.stringify(events[i])}`;
    }
  }
  return undefined;
}

function sameEvent(a: ExchangeEvent | undefined, b: ExchangeEvent | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  const left = Object.entries(a).filter(([, value]) => value !== undefined);
  const right = new Map(Object.entries(b).filter(([, value]) => value !== undefined));
  return left.length === right.size && left.every(([key, value]) => Object.is(right.get(key), value));
}

/** Compares every account, and checks that each currency sums to zero on both sides. */
function balanceDifference(oracle: Oracle, machine: Machine): string | undefined {
  const totals = new Map<number, { oracle: bigint; machine: bigint }>();
  for (const expected of oracle.accounts()) {
    const { wallet, currency } = expected;
    const actual = machine.account(wallet, currency);
    const isSystem = wallet === 0;
    const same =
      actual !== undefined &&
      actual.balance === expected.balance &&
      actual.unmatchedExposure === expected.unmatchedExposure &&
      // The System wallet's overdraft has no limit, so what is available there means nothing.
      (isSystem || actual.available === expected.available);
    if (!same) return `wallet ${wallet}, currency ${currency}:\n  oracle  ${show(expected)}\n  machine ${show(actual)}`;
    const total = totals.get(currency) ?? { oracle: 0n, machine: 0n };
    totals.set(currency, { oracle: total.oracle + expected.balance, machine: total.machine + actual.balance });
  }
  for (const [currency, total] of totals) {
    if (total.oracle !== 0n || total.machine !== 0n)
      return `money is not conserved in currency ${currency}: ${show(total)}`;
  }
  return undefined;
}

/** Compares the matched result by winning outcome of every wallet in the markets that the command changed. */
function positionDifference(oracle: Oracle, machine: Machine): string | undefined {
  for (const { wallet, market, exposures: expected } of oracle.changedPositions()) {
    const actual = machine.exposures(wallet, market) ?? expected.map(() => 0n);
    if (expected.some((amount, outcome) => amount !== undefined && actual[outcome] !== amount)) {
      return `position of wallet ${wallet} in market ${market}:\n  oracle  ${show(expected)}\n  machine ${show(actual)}`;
    }
  }
  return undefined;
}

/** Compares where the outcomes of the markets that the command changed were matched last. */
function lastPriceDifference(oracle: Oracle, machine: Machine): string | undefined {
  for (const market of oracle.world.changed) {
    if (market.forgotten) continue;
    const [expected, actual] = [show(market.lastTicks), show(machine.lastTicks(market.id))];
    if (expected !== actual) return `last ticks of market ${market.id}:\n  oracle  ${expected}\n  machine ${actual}`;
  }
  return undefined;
}

/** A book that the command changed and that cross matches may not look crossed. */
function crossedBook(oracle: Oracle, machine: Machine, coverage: Coverage | undefined): string | undefined {
  for (const { id, terms } of oracle.world.changed) {
    if (!terms.crossMatching) continue;
    coverage?.look();
    const shown = machine.prices(id);
    for (let outcome = 0; outcome < terms.outcomes; outcome++) {
      const lowestFor = shown.find((level) => level.outcome === outcome && level.side === 'For');
      const highestAgainst = shown.find((level) => level.outcome === outcome && level.side === 'Against');
      if (lowestFor === undefined || highestAgainst === undefined) continue;
      if (highestAgainst.tick < lowestFor.tick) continue;
      return `the book of outcome ${outcome} in market ${id} is crossed: ${show([lowestFor, highestAgainst])}`;
    }
  }
  return undefined;
}

function show(value: unknown): string {
  return JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? one.toString() : one));
}

/** A shorter sequence that still differs: halves, then smaller pieces, then items of batches are left out. */
export function shrink(commands: readonly Command[], rules: OracleRules, makeMachine: MakeMachine): Command[] {
  const sort = replay(commands, rules, makeMachine)?.sort;
  let best = [...commands];
  const attempt = (candidate: Command[]): boolean => {
    const found = replay(candidate, rules, makeMachine);
    if (found === undefined || found.sort !== sort) return false;
    best = candidate.slice(0, found.index + 1);
    return true;
  };
  for (let size = best.length >> 1; size >= 1; size = size >> 1) {
    for (let repeat = true; repeat; ) {
      repeat = false;
      for (let from = best.length - 1 - size; from >= 0; from -= size) {
        if (attempt([...best.slice(0, from), ...best.slice(from + size)])) repeat = size === 1;
      }
    }
  }
  dropItems(() => best, attempt);
  return best;
}

function dropItems(best: () => readonly Command[], attempt: (candidate: Command[]) => boolean): void {
  for (let at = best().length - 1; at >= 0; at--) {
    const command = best()[at];
    if (command?.kind !== 'place') continue;
    for (let item = command.requests.length - 1; item >= 0 && command.requests.length > 1; item--) {
      const now = best()[at];
      if (now?.kind !== 'place' || now.requests.length < 2) break;
      const fewer = { ...now, requests: now.requests.filter((_, index) => index !== item) };
      attempt(best().map((one, index) => (index === at ? fewer : one)));
    }
  }
}

/** The difference that some commands lead to as a person reads it, with the commands as JSON lines. */
export function report({
  seed,
  commands,
  makeMachine,
}: {
  seed: number;
  commands: readonly Command[];
  makeMachine: MakeMachine;
}): string {
  const rules = rulesOf(seed);
  const found = replay(commands, rules, makeMachine);
  if (found === undefined) return `seed ${seed}: these commands do not differ`;
  const lines = (events: readonly unknown[]) => events.map((event) => `  ${JSON.stringify(event)}`).join('\n');
  return [
    `seed ${seed}, shrunk to ${commands.length} commands, rules ${JSON.stringify(rules)}:\n${lines(commands)}`,
    `the last one differs in ${found.what}`,
    `oracle's events:\n${lines(found.oracle)}`,
    `machine's events:\n${lines(found.machine)}`,
  ].join('\n');
}
