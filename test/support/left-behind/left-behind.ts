/** Whatever of the language makes a strategy's code run later, and what becomes of each: none of it ever does. */

/** `halted`: it fails in the call, or is rejected there and then. */
export type Fate = 'halted' | 'never';

/** Bodies in which `fail()` says that it runs, and throws; `wasm` is the smallest module. */
export const WAYS: Readonly<Record<string, readonly [string, Fate]>> = {
  'a promise that is kept': ['Promise.resolve().then(fail);', 'never'],
  'an async function': ['(async () => { await null; fail(); })();', 'never'],
  'an async function that fails at once': ['(async () => { throw new Error("left behind"); })();', 'halted'],
  'a thenable': ['(async () => { await { then: fail }; })();', 'never'],
  'an async iterator of lists': [
    '(async () => { for await (const each of [Promise.resolve()]) fail(each); })();',
    'never',
  ],
  'Array.fromAsync': ['Array.fromAsync([1], fail);', 'never'],
  'a promise that hides its realm': [
    'Object.setPrototypeOf(Promise.reject(new Error("left behind")), null);',
    'halted',
  ],
  'a promise of a class of its own': ['(class Own extends Promise {}).reject(new Error("left behind"));', 'halted'],
  'a rejection with a bare word': ['Promise.reject("left behind");', 'halted'],
  'Atomics.waitAsync': [
    'Atomics.waitAsync(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1).value.then(fail);',
    'halted',
  ],
  'a FinalizationRegistry': ['registry = new FinalizationRegistry(fail); registry.register({}, 1);', 'never'],
  'a dynamic import': ['import("node:buffer").then(fail);', 'never'],
  'WebAssembly.compile': ['WebAssembly.compile(new Uint8Array(wasm)).then(fail);', 'halted'],
  'WebAssembly.instantiate': ['WebAssembly.instantiate(new Uint8Array(wasm)).then(fail);', 'halted'],
  'a callback of crypto': ['crypto.randomBytes(8, fail);', 'halted'],
  'a stream that is read': ['stream.Readable.from(["text"]).on("data", fail);', 'halted'],
  'a pipeline': ['stream.pipeline(stream.Readable.from([1]), fail);', 'halted'],
  'an emitter that captures rejections': [
    'const emitter = new events.EventEmitter({ captureRejections: true }); emitter.on("error", fail); emitter.on("any", async () => { await null; fail(); }); emitter.emit("any");',
    'never',
  ],
};

/** A strategy that uses one of them in its first call. */
export const leavingBehind = (way: string): string => `
import crypto from 'node:crypto';
import events from 'node:events';
import stream from 'node:stream';
import { defineStrategy } from 'oddsmith';
const wasm = [0, 97, 115, 109, 1, 0, 0, 0];
const fail = () => { console.log('it runs'); throw new Error('left behind'); };
let registry;
let asked = 0;
export default defineStrategy({
  name: 'leaver',
  decide() {
    asked += 1;
    if (asked === 1) { ${way} }
    return [];
  },
});
`;
