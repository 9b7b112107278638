/** Commands that make a sandbox fail on purpose, and that end it. */

import type { CommandField } from '../../../../../pages/panels.ts';
import type { ActiveFault } from '../../../../../sandbox/context/injected-faults.ts';
import { plural, utc } from '../../../../../words/numbers.ts';
import type { CommandValues } from '../../server/source.ts';
import { faultRow, NEVER_MS } from './fault-words.ts';
import { appIdOf, choice, offerOf, type SandboxCommand, userApps } from './sandbox-command.ts';
import type { ShownSandbox } from './shown-sandbox.ts';

export const GROUP = 'Faults';

const requestsField = ({ words }: ShownSandbox): CommandField =>
  choice(
    'requests',
    'requests',
    words.requests.map(({ value, label }) => ({ value, label })),
  );
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
const appField = (sandbox: ShownSandbox): CommandField => {
  const { app } = sandbox.words;
  return choice('app', app, [{ value: 'all', label: `all ${app}s` }, ...userApps(sandbox)]);
};

export interface FaultKind {
  readonly name: string;
  readonly title: string;
  readonly effect: string;
  /** The fields beside the requests, the app, the share and the duration. */
  readonly fields: readonly CommandField[];
  /** Orders alone, or prices alone. */
  readonly isOfRequests: boolean;
  readonly body: (values: CommandValues) => object;
}

/** The faults that every face has. */
export const COMMON_FAULTS: readonly FaultKind[] = [
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
];

/** The command that injects a fault of this kind. */
export function faultCommand({ name, title, effect, fields, isOfRequests, body }: FaultKind): SandboxCommand {
  return {
    name,
    offer: ({ sandbox }) => {
      const requests = isOfRequests ? [requestsField(sandbox)] : [];
      const all = [...fields, ...requests, appField(sandbox), percentField, secondsField];
      return offerOf({ name, title, effect, tone: 'warn', group: GROUP, fields: all });
    },
    request: ({ sandbox }, values) => {
      const { requests, app, percent, seconds } = values;
      const operations = sandbox.words.requests.find(({ value }) => value === requests)?.operations;
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
  };
}

export const cutStream: SandboxCommand = {
  name: 'cutStream',
  offer: ({ sandbox }) => {
    const connections = sandbox.control.connections();
    const options = connections.map(({ id, app }) => {
      const by = app === undefined ? 'not authenticated' : appIdOf(sandbox, app);
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

export const endFaults: SandboxCommand = {
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

/** A fault in one line, with how often it struck. */
function faultText(sandbox: ShownSandbox, fault: ActiveFault): string {
  const { id, what, of, until } = faultRow(sandbox, fault);
  const end = until === undefined ? 'until it is ended' : `until ${utc(until).slice(11)}`;
  return `fault ${id} ${what}: ${of}, ${end}, struck ${plural(fault.struck, 'time')}`;
}
