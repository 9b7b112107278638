/** Jobs and what became of them as texts that Redis keeps: packed, since the options of many trials are much alike. */

import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ErrorParts } from '../../core/checks/oddsmith-error.ts';
import type { StrategyBundle } from '../../loader/strategy-loader-bundle.ts';
import type { JobEnd, SweepJob, UnitResult } from '../engine/engine.ts';

/** A job without the bundles, which are kept once for all jobs: `bundles` are the SHA-256 of their texts. */
export interface QueuedJob extends Omit<SweepJob, 'bundles'> {
  readonly bundles: readonly string[];
}

/** What a worker gives back. */
export interface JobOutcome {
  readonly end: Exclude<JobEnd, { readonly kind: 'aborted' }>;
  readonly results: readonly UnitResult[];
}

export function packJob(job: QueuedJob): string {
  return packed(JSON.stringify(job));
}

export function unpackJob(text: string): QueuedJob {
  return JSON.parse(unpacked(text));
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
  return sha256Of(plain) === sha256 ? JSON.parse(plain) : undefined;
}

type WrittenResult =
  | { readonly kind: 'played'; readonly key: string; readonly row: string; readonly elapsedMs: number }
  | { readonly kind: 'failed'; readonly key: string; readonly error: ErrorParts };

export function packResult(result: UnitResult): string {
  return JSON.stringify(written(result));
}

export function unpackResult(text: string): UnitResult {
  return read(JSON.parse(text));
}

export function packOutcome({ end, results }: JobOutcome): string {
  return packed(JSON.stringify({ end, results: results.map(written) }));
}

export function unpackOutcome(text: string): JobOutcome {
  const { end, results }: { readonly end: JobOutcome['end']; readonly results: readonly WrittenResult[] } = JSON.parse(
    unpacked(text),
  );
  return { end, results: results.map(read) };
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

function unpacked(text: string): string {
  return inflateRawSync(Buffer.from(text, 'base64')).toString();
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
