/** Packs ids into calls: as many in each as one call and its URL can hold. */

/** What one call can hold. `room`: characters for ids, each counted as in a URL and with its comma. */
export interface CallLimits {
  readonly idsMax: number;
  readonly room: number;
}

/** Length of `%2C`, the comma between two ids in a URL. */
const COMMA_LENGTH = 3;

/** Packs ids, in order, into as few calls as that allows; an id that is too long by itself gets a call of its own. */
export function packIds(ids: readonly string[], { idsMax, room }: CallLimits): readonly (readonly string[])[] {
  const calls: string[][] = [];
  let last: string[] = [];
  let length = 0;
  for (const id of ids) {
    const idLength = encodeURIComponent(id).length + COMMA_LENGTH;
    if (calls.length === 0 || last.length >= idsMax || length + idLength > room) {
      last = [];
      calls.push(last);
      length = 0;
    }
    last.push(id);
    length += idLength;
  }
  return calls;
}
