/** Divides the changes of a message into segments that stay below a number of bytes, if each change does. */

export type SegmentType = 'SEG_START' | 'SEG' | 'SEG_END';

export interface Segment {
  readonly changes: readonly string[];
  /** Undefined for a message that is whole. */
  readonly type: SegmentType | undefined;
}

/** Without a number of bytes, or where all fit in, there is one whole message. */
export function segmentsOf(changes: readonly string[], bytesMax: number | undefined): readonly Segment[] {
  if (bytesMax === undefined) return [{ changes, type: undefined }];
  const groups: string[][] = [[]];
  let bytes = 0;
  for (const change of changes) {
    const size = Buffer.byteLength(change) + 1;
    if (bytes > 0 && bytes + size > bytesMax) {
      groups.push([]);
      bytes = 0;
    }
    groups.at(-1)?.push(change);
    bytes += size;
  }
  const last = groups.length - 1;
  if (last === 0) return [{ changes, type: undefined }];
  return groups.map((group, place) => ({
    changes: group,
    type: place === 0 ? 'SEG_START' : place === last ? 'SEG_END' : 'SEG',
  }));
}
