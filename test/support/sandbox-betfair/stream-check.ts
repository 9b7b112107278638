/**
 * Judges lines of the stream by lists of its own: which fields each message must and may have. The published schema names
 * nothing as required, so these are what betfairlightweight and betfair_parser cannot do without, and what is recorded.
 */

const PRICES = 'rows2';
const LEVELS = 'rows3';

/** `name:type`, `name?:type` for one that may be absent. Types: s text, n number, i whole number, b flag, d date, or a document. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  connection: 'op:s connectionId:s',
  status:
    'op:s id?:i statusCode:s connectionClosed:b errorCode?:s errorMessage?:s connectionId?:s connectionsAvailable?:i',
  mcm: 'op:s id?:i pt:i ct?:ct clk?:s initialClk?:s conflateMs?:i heartbeatMs?:i segmentType?:segment status?:i mc?:MarketChange[]',
  ocm: 'op:s id?:i pt:i ct?:ct clk?:s initialClk?:s conflateMs?:i heartbeatMs?:i segmentType?:segment status?:i oc?:OrderChange[]',
  MarketChange: 'id:s img?:b con?:b tv?:n marketDefinition?:Definition rc?:Runner[]',
  Definition:
    'bspMarket:b turnInPlayEnabled:b persistenceEnabled:b marketBaseRate:n eventId:s eventTypeId:s numberOfWinners:i ' +
    'bettingType:s marketType:s marketTime:d suspendTime:d bspReconciled:b complete:b inPlay:b crossMatching:b ' +
    'runnersVoidable:b numberOfActiveRunners:i betDelay:i betDelayModels?:s[] status:market settledTime?:d ' +
    'runners:RunnerDefinition[] regulators:s[] venue?:s countryCode:s discountAllowed:b timezone:s openDate:d version:i ' +
    'raceType?:s priceLadderDefinition:Ladder',
  RunnerDefinition: 'adjustmentFactor?:n status:runner sortPriority:i id:i hc?:n bsp?:n',
  Ladder: 'type:s',
  Runner: `id:i hc?:n tv?:n ltp?:n trd?:${PRICES} batb?:${LEVELS} batl?:${LEVELS} bdatb?:${LEVELS} bdatl?:${LEVELS} atb?:${PRICES} atl?:${PRICES} spn?:n spf?:n`,
  OrderChange: 'id:s fullImage?:b closed?:b orc?:OrderRunner[]',
  OrderRunner: `id:i hc?:n fullImage?:b uo?:Order[] mb?:${PRICES} ml?:${PRICES} smc?:Strategies`,
  Order:
    'id:s p:n s:n side:side status:order pt:persistence ot:type pd:i md?:i ld?:i cd?:i lsrc?:s avp?:n sm:n sr:n sl:n sc:n sv:n ' +
    'rac:s rc:s rfo:s rfs:s',
};

const WORDS: Readonly<Record<string, readonly string[]>> = {
  ct: ['SUB_IMAGE', 'RESUB_DELTA', 'HEARTBEAT'],
  segment: ['SEG_START', 'SEG', 'SEG_END'],
  market: ['INACTIVE', 'OPEN', 'SUSPENDED', 'CLOSED'],
  runner: ['ACTIVE', 'WINNER', 'LOSER', 'REMOVED'],
  side: ['B', 'L'],
  order: ['E', 'EC'],
  persistence: ['L', 'P'],
  type: ['L'],
};

/** What is wrong with a message, each with its place; empty where nothing is. */
export function messageFaults(message: unknown): readonly string[] {
  const { op } = Object(message);
  return DOCUMENTS[op] === undefined ? [`${op} is no message`] : [...faultsOf(op, message, op), ...lawFaults(message)];
}

function faultsOf(type: string, value: unknown, at: string): readonly string[] {
  if (type === 'rows2' || type === 'rows3') return rowFaults(value, Number(type.at(-1)), at);
  if (type === 'Strategies')
    return Object.entries(Object(value)).flatMap(([name, each]) => sideFaults(each, `${at}.${name}`));
  if (type.endsWith('[]')) {
    if (!Array.isArray(value)) return [`${at} is no list`];
    return value.flatMap((each, place) => faultsOf(type.slice(0, -2), each, `${at}[${place}]`));
  }
  const fields = DOCUMENTS[type];
  if (fields !== undefined) return documentFaults(fields, value, at);
  return isScalar(type, value) ? [] : [`${at} is no ${type}: ${JSON.stringify(value)}`];
}

function sideFaults(value: unknown, at: string): readonly string[] {
  return documentFaults(`mb?:${PRICES} ml?:${PRICES}`, value, at);
}

function rowFaults(value: unknown, width: number, at: string): readonly string[] {
  const isRow = (row: unknown) => Array.isArray(row) && row.length === width && row.every(Number.isFinite);
  return Array.isArray(value) && value.length > 0 && value.every(isRow) ? [] : [`${at}: ${JSON.stringify(value)}`];
}

function isScalar(type: string, value: unknown): boolean {
  if (type === 's') return typeof value === 'string';
  if (type === 'n') return typeof value === 'number' && Number.isFinite(value);
  if (type === 'i') return Number.isSafeInteger(value);
  if (type === 'b') return typeof value === 'boolean';
  if (type === 'd') return typeof value === 'string' && new Date(value).toISOString() === value;
  return WORDS[type]?.includes(String(value)) ?? false;
}

function documentFaults(fields: string, value: unknown, at: string): readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${at} is no document`];
  const given: Readonly<Record<string, unknown>> = { ...value };
  const faults: string[] = [];
  const known = new Set<string>();
  for (const field of fields.split(' ')) {
    const [spelt = '', type = ''] = field.split(':');
    const name = spelt.replace('?', '');
    known.add(name);
    if (given[name] !== undefined) faults.push(...faultsOf(type, given[name], `${at}.${name}`));
    else if (!spelt.endsWith('?')) faults.push(`${at}.${name} is missing`);
  }
  for (const name of Object.keys(given)) if (!known.has(name)) faults.push(`${at}.${name} is in no list`);
  return faults;
}

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire was judged by the lists above.
type Loose = any;

/** s = sm + sr + sl + sc + sv, an order with an average has a match, and clocks come with whole messages alone. */
function lawFaults(message: unknown): readonly string[] {
  const { op, ct, clk, segmentType, initialClk, oc = [] } = message as Loose;
  if (op !== 'mcm' && op !== 'ocm') return [];
  const isWhole = segmentType === undefined || segmentType === 'SEG_END';
  const opens = ct === 'SUB_IMAGE' || ct === 'RESUB_DELTA';
  const faults: string[] = [];
  if ((clk !== undefined) !== isWhole) faults.push(`${op}: clk of a ${segmentType ?? 'whole message'}`);
  if ((initialClk !== undefined) !== (isWhole && opens)) faults.push(`${op}: initialClk`);
  for (const { orc = [] } of oc as Loose[])
    for (const { uo = [] } of orc as Loose[])
      for (const { id, s, sm, sr, sl, sc, sv, status } of uo as Loose[]) {
        if (Math.abs(sm + sr + sl + sc + sv - s) > 1e-6)
          faults.push(`order ${id}: its parts do not sum up ${s} ${[sm, sr, sl, sc, sv].join(' ')}`);
        if ((status === 'E') !== sr > 0) faults.push(`order ${id}: ${status} with ${sr} left`);
      }
  return faults;
}
