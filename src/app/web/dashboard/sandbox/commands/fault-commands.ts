/** Commands that make a sandbox fail on purpose, and that end it. */

import type { CommandField, CommandOption } from '../../../../../pages/panels.ts';
import type { ActiveFault, FaultAction } from '../../../../../sandbox/context/injected-faults.ts';
import type { Sandbox } from '../../../../../sandbox/sandbox.ts';
import { plural } from '../../../../../words/numbers.ts';
import type { CommandValues } from '../../server/source.ts';
import { offerOf, type SandboxCommand, userApps } from './sandbox-command.ts';

const GROUP = 'Faults';

/** Which requests a fault is for, by the words of the page. */
const REQUESTS: readonly (CommandOption & { readonly operations: readonly string[] | undefined })[] = [
  { value: 'all', label: 'all requests', operations: undefined },
  {
    ...{ value: 'place', label: 'placing orders' },
    operations: ['createOrder', 'createOrders', 'requestOrder', 'requestOrders'],
  },
  {
    ...{ value: 'cancel', label: 'cancelling orders' },
    operations: ['cancelOrder', 'cancelOrders', 'cancelOrdersInFull'],
  },
  { value: 'orders', label: 'reading orders', operations: ['listOrders', 'getOrder', 'getOrderByReference'] },
  {
    ...{ value: 'prices', label: 'reading prices' },
    operations: ['listPrices', 'getMarketPriceBook', 'listMarketPriceRows'],
  },
  { value: 'markets', label: 'reading markets', operations: ['listMarkets', 'getMarket', 'findMarkets'] },
  { value: 'sessions', label: 'opening sessions', operations: ['createSession', 'refreshSession'] },
  { value: 'heartbeats', label: 'heartbeats', operations: ['armHeartbeat', 'getHeartbeat', 'deleteHeartbeat'] },
];

const requestsField: CommandField = {
  ...{ kind: 'choice', name: 'requests', label: 'requests', least: 1, most: 1 },
  options: REQUESTS.map(({ value, label }) => ({ value, label })),
};
const percentField: CommandField = {
  ...{ kind: 'number', name: 'percent', label: '% of them', least: 1, most: 100, decimals: 0, first: '100' },
};
const secondsField: CommandField = {
  ...{
    kind: 'number',
    name: 'seconds',
    label: 'for so many seconds (0: until it is ended)',
    least: 0,
    most: 86_400,
    decimals: 0,
  },
  first: '30',
};
const choice = (name: string, label: string, options: readonly CommandOption[]): CommandField => ({
  ...{ kind: 'choice', name, label, options, least: 1, most: 1 },
});
const appField = (sandbox: Sandbox): CommandField =>
  choice('app', 'app', [{ value: 'all', label: 'all apps' }, ...userApps(sandbox)]);

interface FaultKind {
  readonly name: string;
  readonly title: string;
  readonly effect: string;
  /** The fields beside the requests, the app, the share and the duration. */
  readonly fields: readonly CommandField[];
  /** Orders alone, or prices alone. */
  readonly isOfRequests: boolean;
  readonly body: (values: CommandValues) => object;
}

/** Longer than any client waits. */
const NEVER_MS = 600_000;

const KINDS: readonly FaultKind[] = [
  {
    ...{ name: 'slow', title: 'Answer late', isOfRequests: true },
    effect: 'Requests are carried out, and their answers come late.',
    fields: [{ kind: 'number', name: 'ms', label: 'ms late', least: 1, most: NEVER_MS, decimals: 0, first: '2000' }],
    body: ({ ms }) => ({ kind: 'latency', delayMs: Number(ms) }),
  },
  {
    ...{ name: 'timeout', title: 'Do not answer', isOfRequests: true, fields: [] },
    effect: 'Requests are carried out, and nobody hears of it: an answer would come after ten minutes.',
    body: () => ({ kind: 'latency', delayMs: NEVER_MS }),
  },
  {
    ...{ name: 'errors', title: 'Answer with errors', isOfRequests: true },
    effect: 'Requests are refused with this status, and not carried out.',
    fields: [
      choice(
        'status',
        'status',
        ['500', '502', '503', '504', '429', '401', '403', '404', '400'].map((value) => ({ value, label: value })),
      ),
    ],
    body: ({ status }) => ({ kind: 'status', status: Number(status), ...(status === '429' && { retryAfter: 1 }) }),
  },
  {
    ...{ name: 'drop', title: 'Break connections', isOfRequests: true },
    effect: 'The connection is cut without an answer.',
    fields: [
      choice('when', 'when', [
        { value: 'dropBefore', label: 'before it is carried out' },
        { value: 'dropAfter', label: 'after it was carried out' },
      ]),
    ],
    body: ({ when }) => ({ kind: when }),
  },
  {
    ...{ name: 'orderErrors', title: 'Let orders fail', isOfRequests: false },
    effect: 'Orders are refused one by one, as the exchange does it in the middle of a batch.',
    fields: [],
    body: () => ({ kind: 'orderError' }),
  },
  {
    ...{ name: 'stalePrices', title: 'Freeze prices', isOfRequests: false, fields: [] },
    effect: 'Prices that are read over REST stand still. The stream goes on.',
    body: () => ({ kind: 'stalePrices' }),
  },
];

const injections: readonly SandboxCommand[] = KINDS.map(({ name, title, effect, fields, isOfRequests, body }) => ({
  name,
  offer: ({ sandbox }) => {
    const all = [...fields, ...(isOfRequests ? [requestsField] : []), appField(sandbox), percentField, secondsField];
    return offerOf({ name, title, effect, tone: 'warn', group: GROUP, fields: all });
  },
  request: (_, values) => {
    const { requests, app, percent, seconds } = values;
    const operations = REQUESTS.find(({ value }) => value === requests)?.operations;
    return {
      method: 'POST',
      path: '/faults',
      body: {
        ...body(values),
        ...(operations !== undefined && { operations }),
        ...(app !== 'all' && { appId: app }),
        probability: Number(percent) / 100,
        ...(seconds !== '0' && { forMs: Number(seconds) * 1_000 }),
      },
    };
  },
  progress: ({ sandbox }, _, answer) => {
    const fault = sandbox.control.faults().find(({ id }) => String(id) === answer['id']);
    return { isDone: true, proof: fault === undefined ? 'it struck, and is over' : faultText(sandbox, fault) };
  },
}));

const cutStream: SandboxCommand = {
  name: 'cutStream',
  offer: ({ sandbox }) => {
    const connections = sandbox.control.connections();
    const options = connections.map(({ id, app }) => {
      const by = app === undefined ? 'not authenticated' : sandbox.context.world.registry.app(app).id;
      return { value: id, label: `${id} (${by})` };
    });
    return offerOf({
      ...{ name: 'cutStream', title: 'Cut the stream', tone: 'warn', group: GROUP },
      effect: 'Connections of the stream break without a farewell. Clients may connect again at once.',
      off: options.length === 0 ? 'Nobody is connected to the stream.' : undefined,
      fields: [choice('connection', 'connection', [{ value: 'all', label: 'all' }, ...options])],
    });
  },
  request: (_, { connection }) => ({
    ...{ method: 'POST', path: '/stream/cut' },
    body: connection === 'all' ? {} : { connectionId: connection },
  }),
  progress: ({ sandbox }, _, answer) => ({
    isDone: true,
    proof: `${plural(Number(answer['cut']), 'connection')} cut, ${plural(sandbox.control.connections().length, 'connection')} open now`,
  }),
};

const endFaults: SandboxCommand = {
  name: 'endFaults',
  offer: ({ sandbox }) => {
    const faults = sandbox.control.faults();
    const options = faults.map((fault) => ({ value: String(fault.id), label: faultText(sandbox, fault) }));
    return offerOf({
      ...{ name: 'endFaults', title: 'End faults', tone: 'good', group: GROUP },
      effect: 'Requests that a fault holds back stay so; new ones pass.',
      off: options.length === 0 ? 'There is no fault.' : undefined,
      fields: [choice('fault', 'fault', [{ value: 'all', label: `all (${faults.length})` }, ...options])],
    });
  },
  request: (_, { fault = '' }) =>
    fault === 'all'
      ? { method: 'DELETE', path: '/faults' }
      : { method: 'DELETE', path: '/faults/{id}', parameters: { id: fault } },
  progress: ({ sandbox }, { fault }) => {
    const left = sandbox.control.faults();
    const isDone = fault === 'all' ? left.length === 0 : left.every(({ id }) => String(id) !== fault);
    return { isDone, proof: left.length === 0 ? 'no fault is left' : `${plural(left.length, 'fault')} left` };
  },
};

export const FAULT_COMMANDS: readonly SandboxCommand[] = [...injections, cutStream, endFaults];

/** A fault in one line, with how often it struck. */
function faultText({ context }: Sandbox, fault: ActiveFault): string {
  const { id, action, match, probability, until, struck } = fault;
  const requests = REQUESTS.find(({ operations }) => String(operations) === String(match.operations))?.label;
  const share = probability < 1 ? `${Math.round(probability * 100)} % of ` : '';
  const whose = match.app === undefined ? '' : ` of ${context.world.registry.app(match.app).id}`;
  const of = action.kind === 'orderError' || action.kind === 'stalePrices' ? '' : `, ${share}${requests ?? 'some'}`;
  const end = until === undefined ? 'until it is ended' : `until ${new Date(until).toISOString().slice(11, 19)}`;
  return `fault ${id}: ${wordsOf(action)}${of}${whose}, ${end}, struck ${plural(struck, 'time')}`;
}

function wordsOf(action: FaultAction): string {
  switch (action.kind) {
    case 'latency': {
      const { delayMsMin, delayMsMax } = action;
      if (delayMsMin >= NEVER_MS) return 'no answer in time';
      return delayMsMin === delayMsMax ? `${delayMsMin} ms late` : `${delayMsMin} to ${delayMsMax} ms late`;
    }
    case 'status':
      return `status ${action.status}`;
    case 'dropBefore':
      return 'cut before it is carried out';
    case 'dropAfter':
      return 'cut after it was carried out';
    case 'orderError':
      return `orders fail (${action.code})`;
    case 'stalePrices':
      return 'old prices';
    case 'oddDocument':
      return `odd ${action.field} in ${action.documents}`;
  }
}
