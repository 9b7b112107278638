/** Decodes the names and values of a query, in their order. */

/** Undefined for a percent sign that starts no escape, or bytes that are no UTF-8. `text` is what follows the `?`. */
export function queryPairs(text: string): readonly (readonly [string, string])[] | undefined {
  if (text === '') return [];
  const pairs: (readonly [string, string])[] = [];
  for (const part of text.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = decoded(equals < 0 ? part : part.slice(0, equals));
    const value = equals < 0 ? '' : decoded(part.slice(equals + 1));
    if (name === undefined || value === undefined) return undefined;
    pairs.push([name, value]);
  }
  return pairs;
}

function decoded(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
}
