/** What the specification's own text names: its endpoints, resources with their fields, lists of words, statuses. */

export interface SpecificationWords {
  /** `GET /wallets/{id}`. */
  readonly endpoints: readonly string[];
  /** Fields by the resource's name in the specification. */
  readonly resources: ReadonlyMap<string, readonly string[]>;
  /** Arrays and other parts of each endpoint's answer. */
  readonly answers: ReadonlyMap<string, readonly string[]>;
  readonly errorCodes: readonly string[];
  readonly orderStatuses: readonly string[];
  readonly marketStatuses: readonly string[];
  readonly inPlayStatuses: readonly string[];
  readonly primaryDocuments: readonly string[];
  readonly walletTypes: readonly string[];
  readonly groups: readonly string[];
  readonly batchStatuses: readonly number[];
}

export function specificationWords(text: string): SpecificationWords {
  const lines = text.split('\n');
  return {
    endpoints: [...text.matchAll(/^\*\*((?:GET|POST|DELETE) [^*]+)\*\*/gm)].map(([, name]) => name ?? ''),
    resources: new Map([...tables(lines), ...bullets(lines), ...paragraphs(text)]),
    answers: answersOf(text),
    errorCodes: columnUnder(lines, '| errorCode |'),
    orderStatuses: columnUnder(lines, '| Status | Meaning |'),
    marketStatuses: wordsAfter(text, 'Market status values: '),
    inPlayStatuses: wordsAfter(text, 'inPlayStatus values: '),
    primaryDocuments: wordsAfter(text, '| _primary_document | string enum | '),
    walletTypes: wordsAfter(text, 'optional list of wallet types ('),
    groups: wordsAfter(text, 'Resource groups named by the interface: '),
    batchStatuses: [
      ...wordsAfter(text, '- HTTP statuses: ', '\n')
        .join(' ')
        .matchAll(/\b(\d{3})\b/g),
    ].map(([, n]) => Number(n)),
  };
}

/** The names in `a (b), c {d}, e and f` that stand outside brackets. */
function namesIn(text: string): readonly string[] {
  let plain = text;
  for (let before = ''; before !== plain; ) {
    before = plain;
    plain = plain.replace(/\([^()]*\)|\{[^{}]*\}/g, '');
  }
  return plain.split(/,|\band\b/).flatMap((each) => /^_?[a-z]\w*/.exec(each.trim()) ?? []);
}

/** Resources that the specification shows as a table, by their heading; the first column names the fields. */
function tables(lines: readonly string[]): readonly (readonly [string, readonly string[]])[] {
  const found: (readonly [string, readonly string[]])[] = [];
  lines.forEach((line, index) => {
    if (!line.startsWith('| Field | Type')) return;
    const above = lines.slice(0, index).reverse();
    const heading = above.find((each) => each.startsWith('### ') || /^_meta:/.test(each)) ?? '';
    found.push([heading.replace(/^### |:$/g, ''), rowsFrom(lines, index + 2).flatMap(namesIn)]);
  });
  return found;
}

/** `- MarketSummary: id, name, …` and `- marketTypes: id, …`, with the heading or line they stand under. */
function bullets(lines: readonly string[]): readonly (readonly [string, readonly string[]])[] {
  const found: (readonly [string, readonly string[]])[] = [];
  let under = '';
  for (const line of lines) {
    if (line.startsWith('## Endpoints')) break;
    if (/^(###|Sibling arrays)/.test(line)) under = /^Sibling/.test(line) ? `${line.replace(/:$/, '')}: ` : '';
    const [, name, fields] = /^- ([A-Za-z][\w ,]*?)(?: \([^)]*\))?: (.+)$/.exec(line) ?? [];
    // A list of arrays that come as summaries names no fields.
    if (name === undefined || fields === undefined || /^as |^[A-Z]/.test(fields)) continue;
    found.push([`${under}${name}`, namesIn(fields.replace(/^(keys|each item has) |, an array of.*$/g, ''))]);
  }
  return found;
}

/** `PageMeta: …`, `DocumentReference: …`, and the forms that are a list of names beneath a heading. */
function paragraphs(text: string): readonly (readonly [string, readonly string[]])[] {
  const named = [...text.matchAll(/^(PageMeta|DocumentReference): ([^\n]+)/gm)];
  const forms = [...text.matchAll(/^### ((?:Trade|Event) \(full form[^\n]*)\n\n(id, [^\n]+)/gm)];
  const reduced = [...text.matchAll(/^(Order \(reduced form)[^:\n]*: ([^\n]+)/gm)];
  const balances = [...text.matchAll(/^\| (balances) \| array \| items: ([^(]+)/gm)];
  return [...named, ...forms, ...reduced, ...balances].map(([, name = '', fields = '']) => [name, namesIn(fields)]);
}

function answersOf(text: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const part of text.split(/^\*\*(?=(?:GET|POST|DELETE) )/m).slice(1)) {
    const name = part.slice(0, part.indexOf('**'));
    const [, list] = /Response(?: body)?(?: \([^)]*\))?: (_meta;[^\n]*)/.exec(part) ?? [];
    if (list === undefined) continue;
    const fields = list.split(';').map((each) => each.trim().match(/^\w+/)?.[0] ?? '');
    found.set(
      name,
      fields.filter((each) => each !== ''),
    );
  }
  return found;
}

function rowsFrom(lines: readonly string[], from: number): readonly string[] {
  const end = lines.findIndex((line, index) => index >= from && !line.startsWith('|'));
  return lines.slice(from, end).map((line) => line.split('|')[1]?.trim() ?? '');
}

function columnUnder(lines: readonly string[], head: string): readonly string[] {
  return rowsFrom(lines, lines.indexOf(head) + 2);
}

/** The comma-separated words from a phrase to the end of its sentence or bracket. */
function wordsAfter(text: string, phrase: string, end = '.'): readonly string[] {
  const from = text.indexOf(phrase);
  if (from < 0) return [];
  const rest = text.slice(from + phrase.length);
  const stop = rest.search(end === '.' ? /[.;|)\n]/ : /\n/);
  return rest
    .slice(0, stop)
    .split(',')
    .map((each) => each.trim());
}
