/** The key of a unit: a hash of all that decides its row, and of nothing else. */

import { createHash } from 'node:crypto';
import { canonical } from '../../core/collections/canonical.ts';
import type { TrialOrder } from '../engine/engine.ts';
import { ROW_VERSION } from './unit-row.ts';

/** A strategy as it decides: its code, its parameters with their defaults, and what it may read. */
export interface KeyStrategy {
  /** The SHA-256 of its bundle. */
  readonly sha256: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly wallet: string;
  /** The SHA-256 of the contents of the files that are granted to it. */
  readonly files: string;
}

/** What is played of a trial. */
export type TrialChoice = Pick<TrialOrder, 'options' | 'bounds'>;

/** SHA-256 of what a trial brings to all its units. Paths, and how long a strategy may take, decide no row. */
export function trialSha256({ options, bounds }: TrialChoice, strategies: readonly KeyStrategy[]): string {
  const { strategies: _choices, tapes: _paths, out: _out, prove: _prove, strategyTimeoutMs: _limit, ...rest } = options;
  // Which worlds a whole backtest has changes nothing of those that the sweep plays.
  const { markets, isolate, fills: _fills, ...settings } = rest;
  // Which markets are chosen is in the keys by what is recorded of them; other things under `markets` count.
  const { types: _types, ids: _ids, events: _events, ...scope } = markets;
  const text = canonical({ ...settings, bounds, scope, isApart: isolate === 'strategy', strategies });
  return createHash('sha256').update(text).digest('hex');
}

export interface KeyParts {
  /** The SHA-256 of our own code. */
  readonly build: string;
  readonly trial: string;
  /** The SHA-256 of what is recorded of the unit's markets. */
  readonly group: string;
  /** The SHA-256 of the rows that each signal has for these markets. */
  readonly signals: readonly string[];
}

export function unitKey({ build, trial, group, signals }: KeyParts): string {
  const lines = [`unit ${ROW_VERSION}`, build, trial, group, ...signals];
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}
