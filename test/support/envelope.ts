/** What every answer holds beyond its shape: true counts, each document once, all that is referred to, UTC with milliseconds. */

interface Rows {
  readonly [array: string]: unknown;
}

/** The arrays of primary documents that are not named like `_primary_document`. */
const ARRAY_OF: Readonly<Record<string, string>> = { marketPositions: 'positions', priceLadders: 'marketPriceLadders' };
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Each fault as `path: why`; empty where the answer has no envelope or a good one. */
export function envelopeFaults(answer: Rows): readonly string[] {
  const meta = answer['_meta'] as { _primary_document: string; _count: number; _page?: PageMeta } | undefined;
  if (meta === undefined) return valueFaults(answer, {}, []);
  const documents = (answer['documents'] ?? answer) as Rows;
  const { _primary_document: primary, _count: count, _page: page } = meta;
  const own = documents[ARRAY_OF[primary] ?? primary];
  const faults = [...valueFaults(answer, documents, [])];
  if (Array.isArray(own) && own.length !== count) faults.push(`_count: ${count} for ${own.length} ${primary}`);
  if (page !== undefined && page._totalPages !== Math.ceil(page._totalElements / page._pageSize))
    faults.push(`_page: ${JSON.stringify(page)}`);
  for (const [name, rows] of Object.entries(documents))
    if (Array.isArray(rows) && new Set(idsOf(rows)).size < idsOf(rows).length)
      faults.push(`${name}: one of them twice`);
  return faults;
}

interface PageMeta {
  readonly _pageSize: number;
  readonly _totalElements: number;
  readonly _totalPages: number;
}

function idsOf(rows: readonly { readonly id?: unknown }[]): readonly unknown[] {
  return rows.map((row) => row.id).filter((id) => id !== undefined);
}

function valueFaults(value: unknown, documents: Rows, path: readonly string[]): readonly string[] {
  if (value === null) return [`${path.join('.')}: null`];
  if (typeof value === 'string')
    return /At$|Time$/.test(path.at(-1) ?? '') && !DATE.test(value) ? [`${path.join('.')}: ${value}`] : [];
  if (typeof value !== 'object') return [];
  if ('_ref' in value) return referenceFaults(value as Reference, documents, path);
  return Object.entries(value).flatMap(([key, each]) => valueFaults(each, documents, [...path, key]));
}

interface Reference {
  readonly _ref: string;
  readonly _ids: readonly string[];
}

/** The ids of a reference that are not among the answer's documents, where it has their array. */
function referenceFaults({ _ref, _ids }: Reference, documents: Rows, path: readonly string[]): readonly string[] {
  const [array = '', key] = _ref.split('.');
  if (key !== 'id') return [`${path.join('.')}: a reference to ${_ref}`];
  const rows = documents[array];
  if (!Array.isArray(rows)) return [];
  const known = new Set(idsOf(rows).map(String));
  return _ids.filter((id) => !known.has(id)).map((id) => `${path.join('.')}: no ${array} ${id}`);
}
