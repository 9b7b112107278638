/** Betfair's market definition in its source form, and the check that a value is one. */

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

/** The fields of Betfair's `marketDefinition` that an import reads. */
export interface SourceDefinition {
  readonly status: string;
  readonly inPlay?: boolean;
  readonly betDelay?: number;
  readonly betDelayModels?: readonly string[];
  readonly bspMarket?: boolean;
  readonly bspReconciled?: boolean;
  readonly turnInPlayEnabled?: boolean;
  readonly numberOfWinners?: number;
  readonly marketBaseRate?: number;
  readonly bettingType?: string;
  readonly marketType?: string;
  readonly marketTime?: string;
  readonly eventId?: string;
  readonly eventTypeId?: string;
  readonly eventName?: string;
  readonly name?: string;
  readonly venue?: string;
  readonly countryCode?: string;
  readonly timezone?: string;
  readonly openDate?: string;
  readonly raceType?: string;
  readonly persistenceEnabled?: boolean;
  readonly discountAllowed?: boolean;
  readonly runners?: readonly SourceRunner[];
}

const STATUSES = ['INACTIVE', 'OPEN', 'SUSPENDED', 'CLOSED'];
const RUNNER_STATUSES = ['ACTIVE', 'WINNER', 'LOSER', 'PLACED', 'REMOVED', 'REMOVED_VACANT', 'HIDDEN'];

/** Why the value is no definition; undefined where it is one. */
export function faultOfDefinition(definition: unknown): string | undefined {
  if (!isRecord(definition)) return 'a market definition is no object';
  if (!STATUSES.includes(String(definition['status']))) return `unknown market status ${definition['status']}`;
  const models = definition['betDelayModels'] ?? undefined;
  if (models !== undefined && !isTexts(models)) return '"betDelayModels" is no array of texts';
  const runners = definition['runners'];
  if (runners === undefined) return undefined;
  if (!Array.isArray(runners)) return '"runners" is no array';
  for (const runner of runners) {
    if (!isRecord(runner) || typeof runner['id'] !== 'number') return 'a runner of the definition has no id';
    if (!RUNNER_STATUSES.includes(String(runner['status']))) return `unknown runner status ${runner['status']}`;
  }
  return undefined;
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
