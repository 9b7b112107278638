/** Whatever of the language makes a strategy's code run later, each used long after its run has ended. */

/** Bodies in which `fail()` throws, or what it throws goes nowhere; `wasm` is the smallest module. */
export const WAYS: Readonly<Record<string, string>> = {
  'a rejected promise': 'Promise.resolve().then(fail);',
  'an async function': '(async () => fail())();',
  'a thenable': '(async () => { await { then: fail }; })();',
  'an async generator':
    '(async () => { for await (const each of (async function* () { yield fail(); })()) void each; })();',
  'an async iterator of lists':
    '(async () => { for await (const each of [Promise.resolve().then(fail)]) void each; })();',
  'Array.fromAsync': 'Array.fromAsync([1], fail);',
  'a promise that hides its realm': 'Object.setPrototypeOf(Promise.reject(new Error("left behind")), null);',
  'a promise of a class of its own': '(class Own extends Promise {}).reject(new Error("left behind"));',
  'a rejection with a bare word': 'Promise.reject("left behind");',
  'Atomics.waitAsync': 'later(1, fail);',
  'a FinalizationRegistry': 'registry = new FinalizationRegistry(fail); registry.register({}, 1);',
  'a FinalizationRegistry that throws a bare word':
    'registry = new FinalizationRegistry(() => { throw "left behind"; }); registry.register({}, 1);',
  'a dynamic import': 'import("node:buffer").then(fail);',
  'a dynamic import of made code': 'new Function("return import(\'left behind\')")();',
  'WebAssembly.compile': 'WebAssembly.compile(new Uint8Array(wasm)).then(fail);',
  'WebAssembly.instantiate': 'WebAssembly.instantiate(new Uint8Array(wasm)).then(fail);',
  'WebAssembly.compile of no module': 'WebAssembly.compile(new Uint8Array([1]));',
  'a callback of crypto': 'crypto.randomBytes(8, fail);',
  'a stream that is read': 'stream.Readable.from(["text"]).on("data", fail);',
  'a stream that fails': 'stream.Readable.from(["text"]).destroy(new Error("left behind"));',
  'a pipeline': 'stream.promises.pipeline(stream.Readable.from([1]), fail);',
  'an emitter that captures rejections':
    'const emitter = new events.EventEmitter({ captureRejections: true }); emitter.on("any", async () => fail()); emitter.emit("any");',
};

/** A strategy that uses one of them, `afterMs` after its first call. */
export const leavingBehind = (way: string, afterMs: number): string => `
import crypto from 'node:crypto';
import events from 'node:events';
import stream from 'node:stream';
import { defineStrategy } from 'oddsmith';
const wasm = [0, 97, 115, 109, 1, 0, 0, 0];
const later = (ms, act) => Atomics.waitAsync(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms).value.then(act);
const fail = () => { throw new Error('left behind'); };
let registry;
const act = () => { ${way} };
let asked = 0;
export default defineStrategy({
  name: 'leaver',
  decide() {
    asked += 1;
    if (asked === 1) later(${afterMs}, act);
    return [];
  },
});
`;
