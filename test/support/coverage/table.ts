/** test/coverage/api-coverage.md, written from a notebook: one row for each item, with who was seen to handle it and in which test. */

import type { Operation } from '../../../src/betdex/wire/endpoints.ts';
import { CLIENT_MESSAGES, SERVER_MESSAGES } from '../../../src/betdex/wire/messages/stream.ts';
import { responsesOf, STATUS_MEANINGS, type Status } from '../../../src/betdex/wire/responses.ts';
import { answerPathsOf, endpointOf, type Items, itemsOfProfile, itemsOfSpecification } from './items.ts';
import { item, type Notebook } from './notebook.ts';
import { SILENCES } from './silences.ts';

/** A row of a table, of a document or of a heading: what is empty in it is a gap. */
export interface Row {
  readonly item: string;
  readonly cells: readonly string[];
}

/** The specification's own statuses: of the batch five, of all others OK (specification, Errors). */
const BATCH_STATUSES: readonly Status[] = [200, 400, 401, 403, 503];

export interface Coverage {
  readonly text: string;
  /** Items of the specification, and of the profile, without a sighting or a reason. */
  readonly gaps: readonly string[];
  /** Reasons given for what was seen after all. */
  readonly stale: readonly string[];
}

export function coverage(notes: Notebook): Coverage {
  const page = new Page(notes);
  const specification = itemsOfSpecification();
  const profile = itemsOfProfile();
  page.say(INTRODUCTION);
  page.say('## 1. The specification');
  page.endpoints(specification);
  page.resourceGroups();
  page.batchStatuses();
  page.requests(specification);
  page.documents(specification);
  page.words(specification);
  page.say('## 2. The profile', PROFILE);
  page.endpoints(profile);
  page.statuses();
  page.requests(profile);
  page.documents(profile);
  page.words(profile);
  page.silences();
  const stale = [...SILENCES.keys()].filter((name) => notes.sighting('sandbox', name) !== undefined);
  return { text: page.text, gaps: page.gaps, stale };
}

const INTRODUCTION = `# Coverage of the API

Made by \`npm run make:coverage\` from a run of the tests beside it: the typed client
([src/betdex](../../src/betdex/)) talks to the sandbox ([src/sandbox](../../src/sandbox/)) over HTTP and WebSocket on loopback, and a
seam between them notes what passes. So *sends* and *takes* mean that the sandbox really put the item on the wire, or
answered 200 to a request that held it; *reads* and *writes* mean that the typed client really gave it to its caller, or
wrote it. The last column names the test in which that was seen first. The ordinary test run fails where this file is not
what was seen, where a cell of it would be empty, and where the specification's own tables name something that is not here.

\`n/a\` stands only where nothing can show the item; the reason is beside it, and the test fails if it is seen after all.`;

const PROFILE = `What the live exchange has beyond the specification: endpoints, the statuses of single operations, words, and the stream.`;

class Page {
  readonly gaps: string[] = [];
  readonly #notes: Notebook;
  readonly #parts: string[] = [];

  constructor(notes: Notebook) {
    this.#notes = notes;
  }

  get text(): string {
    return `${this.#parts.join('\n\n')}\n`;
  }

  say(...texts: readonly string[]): void {
    this.#parts.push(...texts);
  }

  endpoints({ operations }: Items): void {
    const rows = operations.map((operation) => {
      const { method, path, deprecated } = endpointOf(operation);
      const name = `\`${method} ${path}\`${deprecated ? ' (deprecated)' : ''}`;
      const cells = this.#cells(item.answered(operation, 200), ['answers', 'calls']);
      return [name, `\`${operation}\``, cells[0], cells[1], this.#fieldsSeen(operation), cells[2]];
    });
    this.#table('### Endpoints', ['Endpoint', 'Operation', 'Sandbox', 'Client', 'Fields of the answer', 'Test'], rows);
  }

  /** Each group that the specification names, with what it shows of it. */
  resourceGroups(): void {
    const rows = RESOURCE_GROUPS.map(([group, operations]) => {
      const shown = operations.map((operation) => `\`${operation}\``).join(' ');
      const seen = operations.every((each) => this.#notes.sighting('client', item.answered(each, 200)) !== undefined);
      return [group, shown === '' ? 'n/a: the specification shows no operation of it' : seen ? shown : ''];
    });
    this.#table('### Resource groups', ['Group', 'Operations'], rows);
  }

  batchStatuses(): void {
    const rows = BATCH_STATUSES.map((status) => {
      const name = status === 200 ? 'createOrders 200' : `createOrders ${status} in shape`;
      const [sandbox] = this.#cells(name, ['sends in the shape of BatchOrderResponse', '']);
      const [, client, test] = this.#cells(`createOrders ${status}`, ['', 'reads']);
      return [String(status), STATUS_MEANINGS[status], sandbox, client, test];
    });
    this.#table(
      '### Statuses of `POST /orders/batch`',
      ['Status', 'Meaning', 'Sandbox', 'Client', 'Test'],
      rows,
      'Of all other operations the specification states 200 OK alone, which is the table of endpoints above; what else they answer is the profile’s.',
    );
  }

  requests({ requests }: Items): void {
    const rows = requests.map(({ operation, part, path }) => {
      const [sandbox, client, test] = this.#cells(item.inRequest(operation, part, path), ['takes', 'writes']);
      return [`\`${operation}\``, part, `\`${path}\``, client, sandbox, test];
    });
    this.#table('### Parameters and bodies', ['Operation', 'Part', 'Name', 'Client', 'Sandbox', 'Test'], rows);
  }

  documents({ documents }: Items): void {
    this.say('### Fields');
    for (const [name, fields] of documents) {
      const isAsked = Object.values(CLIENT_MESSAGES).some(({ title }) => title === name);
      const rows = fields.map((field) => {
        const key = item.field(name, field);
        const count = this.#notes.sighting('sandbox', key)?.places.size ?? 0;
        const where = Object.hasOwn(SERVER_MESSAGES, name) || count < 2 ? '' : `, in ${count} operations`;
        const verbs = isAsked ? (['takes', 'writes'] as const) : ([`sends${where}`, 'reads'] as const);
        return [`\`${field}\``, ...this.#cells(key, verbs)];
      });
      this.#table(`**${name}**`, ['Field', 'Sandbox', 'Client', 'Test'], rows);
    }
  }

  words({ words }: Items): void {
    this.say('### Words');
    for (const [name, each] of words) {
      const rows = each.map((word) => [`\`${word}\``, ...this.#cells(item.word(name, word), this.#verbs(name))]);
      this.#table(`**${name}**`, ['Word', 'Sandbox', 'Client', 'Test'], rows);
    }
  }

  /** By operation: what each declares was answered by the sandbox and read by the client. */
  statuses(): void {
    const statuses = (Object.keys(STATUS_MEANINGS).map(Number) as Status[]).sort((a, b) => a - b);
    const operations = [...itemsOfSpecification().operations, ...itemsOfProfile().operations];
    const rows = operations.map((operation) => {
      const declared = responsesOf(endpointOf(operation));
      return [
        `\`${operation}\``,
        ...statuses.map((status) => (declared.has(status) ? this.#mark(operation, status) : '–')),
      ];
    });
    this.#table(
      '### Statuses of every operation',
      ['Operation', ...statuses.map(String)],
      rows,
      '✓ sent by the sandbox and read by the client; (✓) the same, by a fault that the control surface was asked for, as no request earns it; – not declared.',
    );
  }

  silences(): void {
    const names = [...SILENCES.keys()];
    const isWithin = (name: string) => names.some((other) => name.startsWith(`${other}.`));
    const kept = [...SILENCES].filter(
      ([name]) => name.includes(' > ') && !name.includes('_meta._page') && !isWithin(name),
    );
    const rows = kept.map(([name, reason]) => {
      const [operation = '', path = ''] = name.split(' > ');
      return [`\`${operation}\``, `\`${path}\``, reason];
    });
    this.#table(
      '## 3. Fields that an answer cannot have',
      ['Operation', 'Field', 'Why'],
      rows,
      'Declared by the shape that several answers share. Those of `_page` are left out: only answers that are pages have it.',
    );
  }

  #mark(operation: Operation, status: Status): string {
    const [sandbox, client] = this.#cells(item.answered(operation, status), ['✓', '✓']);
    const test = this.#notes.sighting('client', item.answered(operation, status))?.test ?? '';
    return sandbox === '' || client === '' ? '' : test.includes('injected') ? '(✓)' : '✓';
  }

  /** A word of a query is the client's to write; one that stands in answers too is the sandbox's to send. */
  #verbs(list: string): readonly [string, string] {
    return ['SettlementFilter', 'EventStarting', 'HistoryQueryType'].includes(list)
      ? ['takes', 'writes']
      : ['sends', 'reads'];
  }

  /** All fields of an answer but those that it cannot have. */
  #fieldsSeen(operation: Operation): string {
    const names = answerPathsOf(operation).map((path) => item.inAnswer(operation, path));
    const possible = names.filter((name) => !SILENCES.has(name));
    const unseen = possible.filter((name) => this.#cells(name, ['sends', 'reads']).includes(''));
    this.gaps.push(...unseen);
    return unseen.length === 0 ? `all ${possible.length}` : '';
  }

  /** Sandbox, client, test. Empty where it was not seen. */
  #cells(name: string, [sends, reads]: readonly [string, string]): readonly [string, string, string] {
    const reason = SILENCES.get(name);
    if (reason !== undefined) return ['n/a', 'n/a', reason];
    const [sandbox, client] = [this.#notes.sighting('sandbox', name), this.#notes.sighting('client', name)];
    const tests = [...new Set([sandbox?.test, client?.test].filter((test) => test !== undefined))];
    return [sandbox === undefined ? '' : sends, client === undefined ? '' : reads, tests.join('; ')];
  }

  #table(title: string, head: readonly string[], rows: readonly (readonly string[])[], note?: string): void {
    for (const row of rows) if (row.includes('')) this.gaps.push(`${title}: ${row.join(' | ')}`);
    const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
    const lines = [line(head), line(head.map(() => '---')), ...rows.map(line)];
    this.say(title, ...(note === undefined ? [] : [note]), lines.join('\n'));
  }
}

/** The groups that the specification names, in its order, and the operations of its own that it shows of each. */
export const RESOURCE_GROUPS: readonly (readonly [string, readonly Operation[]])[] = [
  ['API Key Management', ['createAppApiKey', 'deactivateAppApiKey']],
  ['App Management', ['getCommissionRates']],
  ['Currencies', []],
  ['Event Categories', []],
  ['Event Groups', []],
  ['Event Subcategories', []],
  ['Events', ['getEvent', 'findEvents']],
  ['External Reference Sources', ['listExternalReferenceSources']],
  ['Heartbeat Management', ['getHeartbeat', 'deleteHeartbeat']],
  ['Market Prices', ['getPriceLadder']],
  ['Market Types', ['listMarketTypes']],
  ['Markets', ['getMarket']],
  ['Orders', ['createOrders', 'cancelOrders', 'cancelOrdersInFull', 'getOrder']],
  ['Participants', []],
  ['Session Management', []],
  ['Status', []],
  ['Trades', ['listOrderTrades']],
  ['Wallet API Key Management', ['createWalletApiKey']],
  [
    'Wallets',
    [
      ...(['listWallets', 'listAllPositions', 'listWalletPositions', 'getWalletMetrics', 'getDepositAddress'] as const),
      'createDeposit',
    ],
  ],
];
