/** The shapes of Betfair's market stream, and the check that a line is one of its messages. */

/** A price and a size; `trd` sizes count both sides of a trade. */
export type PriceSize = readonly [number, number];
/** A position, a price and a size. */
export type PositionPriceSize = readonly [number, number, number];

export interface RunnerChange {
  readonly id: number;
  readonly hc?: number;
  readonly atb?: readonly PriceSize[];
  readonly atl?: readonly PriceSize[];
  readonly batb?: readonly PositionPriceSize[];
  readonly batl?: readonly PositionPriceSize[];
  readonly trd?: readonly PriceSize[];
  readonly ltp?: number;
  /** Numbers, or the words 'NaN' and 'Infinity'. */
  readonly spn?: number | string;
  readonly spf?: number | string;
}

export interface SourceRunner {
  readonly id: number;
  readonly hc?: number;
  readonly name?: string;
  readonly status: string;
  readonly sortPriority?: number;
  readonly adjustmentFactor?: number;
  readonly removalDate?: string;
  readonly bsp?: number | string;
}

export interface SourceDefinition {
  readonly status: string;
  readonly inPlay?: boolean;
  readonly betDelay?: number;
  readonly bspMarket?: boolean;
  readonly bspReconciled?: boolean;
  readonly turnInPlayEnabled?: boolean;
  readonly numberOfWinners?: number;
  readonly marketBaseRate?: number;
  readonly bettingType?: string;
  readonly marketType?: string;
  readonly marketTime?: string;
  readonly eventId?: string;
  readonly eventName?: string;
  readonly name?: string;
  readonly venue?: string;
  readonly countryCode?: string;
  readonly runners?: readonly SourceRunner[];
}

export interface MarketChange {
  readonly id: string;
  readonly img?: boolean;
  readonly marketDefinition?: SourceDefinition;
  readonly rc?: readonly RunnerChange[];
}

export interface StreamMessage {
  readonly pt: number;
  readonly mc: readonly MarketChange[];
}

/** A message, or why the line is none. Messages of other kinds and heartbeats come back without market changes. */
export function parseMessage(text: string): StreamMessage | string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    return `no JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
  if (!isRecord(parsed)) return 'no JSON object';
  const { op, pt, mc } = parsed;
  if (typeof op !== 'string') return 'no stream message: it has no "op"';
  if (op !== 'mcm' || mc === undefined || mc === null) return { pt: 0, mc: [] };
  if (!Number.isSafeInteger(pt) || (pt as number) < 0) return 'the publish time "pt" is no time in ms';
  if (!Array.isArray(mc)) return '"mc" is no array';
  for (const change of mc) {
    const fault = faultOfChange(change);
    if (fault !== undefined) return fault;
  }
  return parsed as unknown as StreamMessage;
}

function faultOfChange(change: unknown): string | undefined {
  if (!isRecord(change)) return 'a market change is no object';
  if (typeof change['id'] !== 'string') return 'a market change has no id';
  const definition = change['marketDefinition'];
  if (definition !== undefined) {
    const fault = faultOfDefinition(definition);
    if (fault !== undefined) return fault;
  }
  const runners = change['rc'];
  if (runners === undefined || runners === null) return undefined;
  if (!Array.isArray(runners)) return '"rc" is no array';
  for (const runner of runners) {
    const fault = faultOfRunner(runner);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

const STATUSES = ['INACTIVE', 'OPEN', 'SUSPENDED', 'CLOSED'];
const RUNNER_STATUSES = ['ACTIVE', 'WINNER', 'LOSER', 'PLACED', 'REMOVED', 'REMOVED_VACANT', 'HIDDEN'];

function faultOfDefinition(definition: unknown): string | undefined {
  if (!isRecord(definition)) return 'a market definition is no object';
  if (!STATUSES.includes(String(definition['status']))) return `unknown market status ${definition['status']}`;
  const runners = definition['runners'];
  if (runners === undefined) return undefined;
  if (!Array.isArray(runners)) return '"runners" is no array';
  for (const runner of runners) {
    if (!isRecord(runner) || typeof runner['id'] !== 'number') return 'a runner of the definition has no id';
    if (!RUNNER_STATUSES.includes(String(runner['status']))) return `unknown runner status ${runner['status']}`;
  }
  return undefined;
}

const PAIRS = ['atb', 'atl', 'trd'];
const TRIPLES = ['batb', 'batl'];

function faultOfRunner(runner: unknown): string | undefined {
  if (!isRecord(runner)) return 'a runner change is no object';
  if (typeof runner['id'] !== 'number') return 'a runner change has no id';
  for (const name of PAIRS) {
    const rows = runner[name];
    if (rows !== undefined && !areRows(rows, 2)) return `"${name}" holds something else than [price, size]`;
  }
  for (const name of TRIPLES) {
    const rows = runner[name];
    if (rows !== undefined && !areRows(rows, 3)) return `"${name}" holds something else than [position, price, size]`;
  }
  return undefined;
}

function areRows(rows: unknown, width: number): boolean {
  if (!Array.isArray(rows)) return false;
  for (const row of rows) {
    if (!Array.isArray(row) || row.length !== width) return false;
    for (const value of row) if (typeof value !== 'number' || !(value >= 0)) return false;
  }
  return true;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
