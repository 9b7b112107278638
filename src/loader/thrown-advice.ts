/** What to do about what a strategy threw: some mistakes are made by everyone who writes the first one. */

const HALTED = 'A strategy that throws while it runs is halted and its orders are cancelled.';

/** `text` is the name and the message of what was thrown. */
export function thrownAdvice(text: string): string {
  const [, name] = /^ReferenceError: ([\w$]+) is not defined/.exec(text) ?? [];
  if (name !== undefined) return `${ABSENT.get(name) ?? undeclared(name)} ${HALTED}`;
  if (WRITTEN.test(text))
    return `What a strategy is given can be read and not written: change a copy, such as [...market.outcomes], or keep what you need in \`state\`. ${HALTED}`;
  return `Correct the line. ${HALTED}`;
}

function undeclared(name: string): string {
  return `Declare '${name}' or import it; helpers come from oddsmith: import { back } from 'oddsmith'.`;
}

/** What V8 says about writing to a frozen list or to a property that has no setter, and about adding or removing one. */
const WRITTEN =
  /^TypeError: (?:Cannot (?:assign to read only property|set property|add property|delete property|define property)|.* is not extensible)/;

const NETWORK = 'A strategy has no network: give it numbers from outside as a signal, which also holds in a backtest.';
const TIMERS = 'A strategy has no timers: return `wakeAt` to be asked again at that time.';
const PLACE =
  "A strategy does not know where it lies: it imports files beside it, as in import model from './model.json'.";

/** What other programs have everywhere, and a strategy has not. */
const ABSENT: ReadonlyMap<string, string> = new Map([
  ...['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource'].map((name) => [name, NETWORK] as const),
  ...['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'].map((name) => [name, TIMERS] as const),
  ...['__dirname', '__filename'].map((name) => [name, PLACE] as const),
  [
    'process',
    'A strategy has no process: what it needs of the environment is a param, set with --param or in the configuration.',
  ],
  ['performance', 'A strategy reads no clock: take `now`, which is the time of the recording in a backtest.'],
]);
