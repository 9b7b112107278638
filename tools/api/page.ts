/** A page of the reference as Markdown: contents, then each export with what an editor shows of it. */

import type { Column } from '../../src/report/data/column.ts';
import { FILL_COLUMNS } from '../../src/report/data/fill-columns.ts';
import { MARKET_COLUMNS } from '../../src/report/data/market-columns.ts';
import { ORDER_COLUMNS } from '../../src/report/data/order-columns.ts';
import { OUTCOME_COLUMNS } from '../../src/report/data/outcome-columns.ts';
import { PLOT_COLUMNS } from '../../src/report/data/plot-columns.ts';
import type { Entry } from './entries.ts';
import { byName, groupsOf, headingOf, keyOf } from './layout.ts';
import type { Member, Variant } from './members.ts';
import type { Declared } from './public-surface.ts';
import type { Text } from './type-text.ts';

/** Rows whose fields are the columns of a list, which says what each of them holds. */
const ROWS: Readonly<Record<string, readonly Pick<Column<never>, 'name' | 'kind' | 'about'>[]>> = {
  OrderTableRow: ORDER_COLUMNS,
  FillTableRow: FILL_COLUMNS,
  MarketTableRow: MARKET_COLUMNS,
  OutcomeTableRow: OUTCOME_COLUMNS,
  PlotTableRow: PLOT_COLUMNS,
};

const MADE =
  'This page is made from the docstrings (`npm run make:api`), which an editor shows as well. What oddsmith hands out can be read and not written: ' +
  '`readonly` is left out of the types. Unless a description says otherwise, prices are decimal odds, stakes the backer’s in decimal currency, and times ms UTC.';

export function pageOf(entry: Entry, surface: readonly Declared[], addresses: ReadonlyMap<string, string>): string {
  const { title, about, page } = entry;
  const groups = groupsOf(entry, surface);
  const catalogues = surface.filter(({ kind, words }) => kind === 'constant' && words.length > 0);
  const place: Place = { page, catalogues, addresses };
  const shared = surface.filter((declared) => declared.page !== page).sort(byName);
  const links = (all: readonly Declared[]) => all.map((declared) => linkOf(declared, place)).join(' · ');
  return `${[
    `# ${title}`,
    `${about} ${MADE}`,
    '## Contents',
    ...groups.map(({ title: name, all }) => `${name}: ${links(all)}`),
    ...(shared.length === 0 ? [] : [`Exported here as well, and described elsewhere: ${links(shared)}`]),
    ...groups.flatMap(({ title: name, all }) => [`## ${name}`, ...all.map((each) => sectionOf(each, place))]),
  ].join('\n\n')}\n`;
}

/** What a section needs to know of its page. */
interface Place {
  readonly page: string;
  /** Constants that list words, with which types of the same words need not repeat them. */
  readonly catalogues: readonly Declared[];
  readonly addresses: ReadonlyMap<string, string>;
}

function sectionOf(declared: Declared, place: Place): string {
  const { kind, name, text, docs, throws, examples, extended, members, variants, words } = declared;
  const rows = ROWS[name];
  const memberExamples = members.flatMap((member) => member.examples);
  const isPlain = kind !== 'function' && text.length === 0;
  return [
    `### ${headingOf(declared)}`,
    ...(isPlain ? [] : [`> ${markdownOf([name, ...text], place)}`]),
    docs,
    ...(extended.length === 0 ? [] : [`Has all that ${markdownOf(extended, place)} has.`]),
    ...(words.length === 0 ? [] : [wordsOf(words, place)]),
    ...(rows === undefined ? [] : [rowsTable(rows)]),
    ...(members.length === 0 ? [] : [membersTable(members, place)]),
    ...(variants.length === 0 ? [] : [variantsTable(variants, place)]),
    ...(throws === '' ? [] : [`Throws: ${throws}.`]),
    ...examples.map(({ code }) => fenced(code)),
    ...(memberExamples.length === 0 ? [] : [fenced(memberExamples.join('\n'))]),
  ].join('\n\n');
}

function fenced(code: string): string {
  return `\`\`\`ts\n${code}\n\`\`\``;
}

function rowsTable(rows: (typeof ROWS)[string]): string {
  const lines = boundsAsOne(rows).map(({ name, kind, about }) => [
    `\`${name}\``,
    kind === 'text' ? '`string`' : '`number`',
    cell(about),
  ]);
  return `A cell that is not known is absent.\n\n${tableOf(['', 'Type', 'What it is'], lines)}`;
}

/** Columns that are there once for each bound of the fills, as one row. */
function boundsAsOne(rows: (typeof ROWS)[string]): (typeof ROWS)[string] {
  return rows.flatMap((row) => {
    const [, figure, bound] = /^(\w+)\.(lowest|pessimistic|central|optimistic|highest|refilled)$/.exec(row.name) ?? [];
    if (figure === undefined) return [row];
    if (bound !== 'central') return [];
    return [
      {
        ...row,
        name: `${figure}.BOUND`,
        about: row.about.replace(/,? in the central bound$/, ', once for each `BOUND` of `BOUNDS` that was computed'),
      },
    ];
  });
}

function wordsOf(words: Declared['words'], place: Place): string {
  const [first] = words;
  const catalogue = place.catalogues.find(
    (constant) => constant.words.length === words.length && constant.words[0]?.word === first?.word,
  );
  if (catalogue !== undefined && catalogue.words !== words)
    return `The ${words.length} words are those of ${linkOf(catalogue, place)}.`;
  if (words.every(({ meaning }) => meaning === '')) return words.map(({ word }) => `\`${word}\``).join(' · ');
  return tableOf(
    ['', words.every(({ meaning }) => meaning.startsWith('`')) ? 'Value' : 'Means'],
    words.map(({ word, meaning }) => [`\`${word}\``, cell(meaning)]),
  );
}

function membersTable(members: readonly Member[], place: Place): string {
  const rows = members.flatMap((member) => [
    memberRow(member, place),
    ...member.inner
      .filter(({ docs }) => docs !== '')
      .map((field) => memberRow({ ...field, name: `${member.name.replace('?', '')}.${field.name}` }, place)),
  ]);
  return tableOf(['', 'Type', 'What it is'], rows);
}

function memberRow({ name, text, docs, throws, isTag }: Member, place: Place): readonly string[] {
  const told = isTag ? 'Tells it from what else may stand there.' : docs;
  const said = throws === '' ? told : `${told} Throws: ${throws}.`;
  return [`\`${name}\``, cell(markdownOf(text, place)), cell(said)];
}

function variantsTable(variants: readonly Variant[], place: Place): string {
  const rows = variants.map(({ tag, text, docs, members }) => {
    const fields = members.filter(({ isTag }) => !isTag);
    const own = fields.filter((field) => field.docs !== '').map((field) => `\`${field.name}\`: ${field.docs}`);
    const shown =
      members.length === 0 ? markdownOf(text, place) : fields.map((field) => fieldOf(field, place)).join('<br>');
    return [tag === '' ? '' : `\`${tag}\``, cell(shown), cell([docs, ...own].filter((part) => part !== '').join(' '))];
  });
  // Where the text above the table says all of it.
  if (rows.every(([, , said]) => said === ''))
    return tableOf(
      ['', 'With'],
      rows.map((row) => row.slice(0, 2)),
    );
  return tableOf(['', 'With', 'What it says'], rows);
}

function fieldOf({ name, text }: Member, place: Place): string {
  return markdownOf([`${name}: `, ...text], place);
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Text in a cell of a table: one line, without the sign between cells. */
function cell(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ').replaceAll(/(?<!\\)\|/g, '\\|');
}

/** Signs between names need no marking as code. */
const SIGNS = /^[\s|,;:[\](){}<>=?&]*$/;

function markdownOf(text: Text, place: Place): string {
  const merged: Text[number][] = [];
  for (const piece of text) {
    const last = merged.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') merged[merged.length - 1] = last + piece;
    else merged.push(piece);
  }
  return merged
    .map((piece) => {
      if (typeof piece !== 'string') return linkOf(piece, place);
      return SIGNS.test(piece) ? piece.replaceAll(/[[\]<>]/g, '\\$&') : `\`${piece}\``;
    })
    .join('');
}

function linkOf(
  named: Pick<Declared, 'page' | 'name'> & Partial<Pick<Declared, 'kind'>>,
  { page, addresses }: Place,
): string {
  const address = addresses.get(keyOf(named));
  if (address === undefined) throw new Error(`${named.name} is on no page`);
  const shown = headingOf({ kind: named.kind ?? 'type', name: named.name });
  return `[\`${shown}\`](${address.startsWith(`${page}.md#`) ? address.slice(`${page}.md`.length) : address})`;
}
