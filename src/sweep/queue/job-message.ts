/** Jobs and what became of them as texts that Redis keeps: packed, since the options of many trials are much alike. */

import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { Type } from '@sinclair/typebox';
import type { ErrorParts } from '../../core/checks/oddsmith-error.ts';
import type { StrategyBundle } from '../../loader/strategy-loader-bundle.ts';
import type { JobEnd, SweepJob, UnitResult } from '../engine/engine.ts';
import { count, readerOf, string } from './read-message.ts';

/** A job without the bundles, which are kept once for all jobs: `bundles` are the SHA-256 of their texts. */
export interface QueuedJob extends Omit<SweepJob, 'bundles'> {
  readonly bundles: readonly string[];
}

/** What a worker gives back. */
export interface JobOutcome {
  readonly end: Exclude<JobEnd, { readonly kind: 'aborted' }>;
  readonly results: readonly UnitResult[];
}

/** Options of trials are of the coordinator's build, which is the worker's: they are not looked into. */
const map = Type.Object({});
const strings = Type.Array(string);
const readJob = readerOf<QueuedJob>(
  Type.Object({
    number: count,
    trials: Type.Array(Type.Object({ options: map, bounds: strings, bundles: strings, basis: map })),
    groups: Type.Array(Type.Object({ name: string, markets: strings, sha256: string })),
    bundles: strings,
    units: Type.Array(Type.Object({ key: string, trial: count, group: count })),
  }),
);

const error = Type.Object({ code: string, what: string });
const Result = Type.Union([
  Type.Object({ kind: Type.Literal('played'), key: string, row: string, elapsedMs: Type.Number() }),
  Type.Object({ kind: Type.Literal('failed'), key: string, error }),
]);
const End = Type.Union([
  Type.Object({ kind: Type.Literal('done') }),
  Type.Object({ kind: Type.Literal('died'), key: Type.Optional(string), isStuck: Type.Boolean(), error }),
]);
const readResult = readerOf<WrittenResult>(Result);
const readOutcome = readerOf<WrittenOutcome>(Type.Object({ end: End, results: Type.Array(Result) }));

export function packJob(job: QueuedJob): string {
  return packed(JSON.stringify(job));
}

/** Undefined for what is no job. */
export function unpackJob(said: unknown): QueuedJob | undefined {
  return readJob(unpacked(said));
}

export interface BundleText {
  readonly sha256: string;
  readonly text: string;
}

export function packBundle(bundle: StrategyBundle): BundleText {
  const text = JSON.stringify(bundle);
  return { sha256: sha256Of(text), text: packed(text) };
}

/** Undefined where the text is not the one of this hash. */
export function unpackBundle(text: string, sha256: string): StrategyBundle | undefined {
  const plain = unpacked(text);
  return plain !== undefined && sha256Of(plain) === sha256 ? JSON.parse(plain) : undefined;
}

type WrittenResult =
  | { readonly kind: 'played'; readonly key: string; readonly row: string; readonly elapsedMs: number }
  | { readonly kind: 'failed'; readonly key: string; readonly error: ErrorParts };

type WrittenOutcome = Pick<JobOutcome, 'end'> & { readonly results: readonly WrittenResult[] };

export function packResult(result: UnitResult): string {
  return JSON.stringify(written(result));
}

/** Undefined for what is no result. */
export function unpackResult(said: unknown): UnitResult | undefined {
  const result = readResult(said);
  return result && read(result);
}

export function packOutcome({ end, results }: JobOutcome): string {
  return packed(JSON.stringify({ end, results: results.map(written) }));
}

/** Undefined for what is no outcome. */
export function unpackOutcome(said: unknown): JobOutcome | undefined {
  const outcome = readOutcome(unpacked(said));
  return outcome && { end: outcome.end, results: outcome.results.map(read) };
}

function written(result: UnitResult): WrittenResult {
  return result.kind === 'failed' ? result : { ...result, row: Buffer.from(result.row).toString('base64') };
}

function read(result: WrittenResult): UnitResult {
  return result.kind === 'failed' ? result : { ...result, row: new Uint8Array(Buffer.from(result.row, 'base64')) };
}

function packed(text: string): string {
  return deflateRawSync(text, { level: 3 }).toString('base64');
}

/** Undefined for what was not packed here. */
function unpacked(said: unknown): string | undefined {
  try {
    return typeof said === 'string' ? inflateRawSync(Buffer.from(said, 'base64')).toString() : undefined;
  } catch {
    return undefined;
  }
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
