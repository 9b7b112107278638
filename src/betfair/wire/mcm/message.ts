/** Reads a stream message with JSON.parse into columns, and says why a line is not a message. */

import { faultOfDefinition, isRecord, type SourceDefinition } from './source-definition.ts';
import {
  ATB,
  ATL,
  BATB,
  BATL,
  type RowField,
  SEGMENTS,
  type StagedMessage,
  startingPriceOf,
  TRD,
} from './staged-message.ts';

/** Messages with which every stream begins and answers requests. */
const OF_ANY_STREAM = ['connection', 'status'];

/**
 * Stages a line; returns the reason where it is no message. Messages of other kinds and heartbeats have no market
 * changes.
 */
export function stageText(text: string, into: StagedMessage): string | undefined {
  into.clear();
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    return `no JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
  if (!isRecord(parsed)) return 'no JSON object';
  const { op, pt, clk, segmentType, mc } = parsed;
  if (typeof op !== 'string') return 'no stream message: it has no "op"';
  if (op !== 'mcm' || mc === undefined || mc === null) {
    if (!OF_ANY_STREAM.includes(op)) into.otherOp = op;
    return undefined;
  }
  if (!Number.isSafeInteger(pt) || (pt as number) < 0) return 'the publish time "pt" is no time in ms';
  if (!Array.isArray(mc)) return '"mc" is no array';
  into.publishedAt = pt as number;
  if (typeof clk === 'string') into.clk = clk;
  into.segment = SEGMENTS.find((segment) => segment === segmentType);
  for (const change of mc) {
    const fault = stageChange(change, into);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function stageChange(change: unknown, into: StagedMessage): string | undefined {
  if (!isRecord(change)) return 'a market change is no object';
  const { id, img, marketDefinition: definition, rc: runners } = change;
  if (typeof id !== 'string') return 'a market change has no id';
  const at = into.startChange();
  into.ids[at] = id;
  into.images[at] = img === true;
  if (definition !== undefined) {
    const fault = faultOfDefinition(definition);
    if (fault !== undefined) return fault;
    into.definitions[at] = definition as SourceDefinition;
  }
  if (runners === undefined || runners === null) return undefined;
  if (!Array.isArray(runners)) return '"rc" is no array';
  for (const runner of runners) {
    const fault = stageRunner(runner, into);
    if (fault !== undefined) return fault;
  }
  into.endChange(at);
  return undefined;
}

const ROWS: readonly (readonly [name: string, field: RowField, width: number])[] = [
  ['atb', ATB, 2],
  ['atl', ATL, 2],
  ['trd', TRD, 2],
  ['batb', BATB, 3],
  ['batl', BATL, 3],
];

function stageRunner(runner: unknown, into: StagedMessage): string | undefined {
  if (!isRecord(runner)) return 'a runner change is no object';
  const { id, hc, ltp, spn, spf } = runner;
  if (typeof id !== 'number') return 'a runner change has no id';
  const at = into.startRunner();
  into.runnerIds[at] = id;
  if (hc !== undefined) into.handicaps[at] = Number(hc);
  if (ltp !== undefined) into.lastPrices[at] = Number(ltp);
  if (spn !== undefined) into.nears[at] = startingPriceOf(spn);
  if (spf !== undefined) into.fars[at] = startingPriceOf(spf);
  for (const [name, field, width] of ROWS) {
    const rows = runner[name];
    if (rows === undefined) continue;
    into.startRows(at, field);
    if (!stageRows(rows, width, into)) {
      return `"${name}" holds something else than ${width === 2 ? '[price, size]' : '[position, price, size]'}`;
    }
    into.endRows(at, field);
  }
  return undefined;
}

function stageRows(rows: unknown, width: number, into: StagedMessage): boolean {
  if (!Array.isArray(rows)) return false;
  for (const row of rows) {
    if (!Array.isArray(row) || row.length !== width) return false;
    for (const value of row) if (typeof value !== 'number' || !(value >= 0)) return false;
    into.row(width === 3 ? (row[0] as number) : 0, row[width - 2] as number, row[width - 1] as number);
  }
  return true;
}
