/** Jobs and what became of them as texts that Redis keeps: packed, since the options of many trials are much alike. */

import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ErrorParts } from '../../core/checks/oddsmith-error.ts';
import type { StrategyBundle } from '../../loader/strategy-loader-bundle.ts';
import type { GroupOrder, JobEnd, SweepJob, TrialOrder, UnitOrder, UnitResult } from '../engine/engine.ts';
import { areAll, type Fields, fieldsOf, isCount, isText } from './read-message.ts';

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

/** Undefined for what is no job. */
export function unpackJob(text: unknown): QueuedJob | undefined {
  const { number, trials, groups, bundles, units } = fieldsOf<QueuedJob>(unpacked(text));
  if (!isCount(number) || !areAll(trials, isTrial) || !areAll(groups, isGroup)) return undefined;
  return areAll(bundles, isText) && areAll(units, isUnit) ? { number, trials, groups, bundles, units } : undefined;
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

export function packResult(result: UnitResult): string {
  return JSON.stringify(written(result));
}

/** Undefined for what is no result. */
export function unpackResult(text: unknown): UnitResult | undefined {
  const result = fieldsOf<WrittenResult>(text);
  return isResult(result) ? read(result) : undefined;
}

export function packOutcome({ end, results }: JobOutcome): string {
  return packed(JSON.stringify({ end, results: results.map(written) }));
}

/** Undefined for what is no outcome. */
export function unpackOutcome(text: unknown): JobOutcome | undefined {
  const { end, results } = fieldsOf<JobOutcome>(unpacked(text));
  return isEnd(end) && areAll(results, isResult) ? { end, results: results.map(read) } : undefined;
}

function isTrial(value: unknown): value is TrialOrder {
  const { options, bounds, bundles, basis }: Fields<TrialOrder> = Object(value);
  return isMap(options) && areAll(bounds, isText) && areAll(bundles, isText) && isMap(basis);
}

function isGroup(value: unknown): value is GroupOrder {
  const { name, markets, sha256 }: Fields<GroupOrder> = Object(value);
  return isText(name) && areAll(markets, isText) && isText(sha256);
}

function isUnit(value: unknown): value is UnitOrder {
  const { key, trial, group }: Fields<UnitOrder> = Object(value);
  return isText(key) && isCount(trial) && isCount(group);
}

function isResult(value: unknown): value is WrittenResult {
  const {
    kind,
    key,
    row,
    elapsedMs,
    error,
  }: Fields<WrittenResult & { row: unknown; elapsedMs: unknown; error: unknown }> = Object(value);
  if (kind === 'failed') return isText(key) && isError(error);
  return kind === 'played' && isText(key) && isText(row) && typeof elapsedMs === 'number';
}

function isEnd(value: unknown): value is JobOutcome['end'] {
  const { kind, key, isStuck, error }: Fields<Extract<JobEnd, { readonly kind: 'died' }>> = Object(value);
  const isKey = key === undefined || isText(key);
  return kind === 'died' ? isKey && typeof isStuck === 'boolean' && isError(error) : Object(value).kind === 'done';
}

function isError(value: unknown): value is ErrorParts {
  const { code, what }: Fields<ErrorParts> = Object(value);
  return isText(code) && isText(what);
}

function isMap(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
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
function unpacked(text: unknown): string | undefined {
  try {
    return isText(text) ? inflateRawSync(Buffer.from(text, 'base64')).toString() : undefined;
  } catch {
    return undefined;
  }
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
