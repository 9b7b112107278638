/** Puts things of some width on a line without overlap, each as near as can be to the place that it wants. */

export interface Wanted {
  /** The place where its middle wants to be. */
  readonly at: number;
  readonly width: number;
}

interface Block {
  /** Its left end: the mean of what its things want. */
  readonly left: number;
  readonly width: number;
  readonly things: number;
}

/** `wanted` in ascending order of `at`. Middles, in the same order, within 0 and `room` as far as there is room. */
export function apart(wanted: readonly Wanted[], room: number): readonly number[] {
  const blocks: Block[] = [];
  for (const { at, width } of wanted) {
    let last = within({ left: at - width / 2, width, things: 1 }, room);
    let before = blocks.at(-1);
    while (before !== undefined && before.left + before.width > last.left) {
      blocks.pop();
      last = within(joined(before, last), room);
      before = blocks.at(-1);
    }
    blocks.push(last);
  }
  const places: number[] = [];
  for (const { left, things } of blocks) {
    let from = left;
    for (const { width } of wanted.slice(places.length, places.length + things)) {
      places.push(from + width / 2);
      from += width;
    }
  }
  return places;
}

/** Left ends are means over the things, as each of them alone would set it. */
function joined(before: Block, after: Block): Block {
  const things = before.things + after.things;
  const left = (before.left * before.things + (after.left - before.width) * after.things) / things;
  return { left, width: before.width + after.width, things };
}

function within(block: Block, room: number): Block {
  return { ...block, left: Math.max(0, Math.min(block.left, room - block.width)) };
}
