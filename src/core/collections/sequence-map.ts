/** Things by a number that counts up, of which the older ones go: a list with a moving start instead of a map. */

const NONE = -1;
/** So many places of things that are gone are worth moving the others down. */
const GONE_MIN = 1024;
/** So far may a number be ahead of the last one and still have its place in the list. */
const GAP_MAX = 1024;

/** Numbers that do not follow the others, as of what an earlier process left, are kept as well, at a map's cost. */
export class SequenceMap<Thing> {
  #first = NONE;
  #gone = 0;
  #things: (Thing | undefined)[] = [];
  readonly #others = new Map<number, Thing>();

  add(number: number, thing: Thing): void {
    if (this.#first === NONE) this.#first = number;
    const things = this.#things;
    const at = number - this.#first;
    if (at < things.length || at > things.length + GAP_MAX) {
      this.#others.set(number, thing);
      return;
    }
    while (things.length < at) things.push(undefined);
    things.push(thing);
  }

  get(number: number): Thing | undefined {
    const at = number - this.#first;
    const thing = at >= 0 && at < this.#things.length ? this.#things[at] : undefined;
    return thing === undefined && this.#others.size > 0 ? this.#others.get(number) : thing;
  }

  delete(number: number): void {
    if (this.#others.size > 0) this.#others.delete(number);
    const things = this.#things;
    const at = number - this.#first;
    if (at >= 0 && at < things.length) things[at] = undefined;
    if (at >= this.#gone && things[this.#gone] === undefined) this.#letGo(this.#gone);
  }

  /** Moves the start of the list to the first thing that is left, where enough are gone. */
  #letGo(from: number): void {
    const things = this.#things;
    let gone = from;
    while (gone < things.length && things[gone] === undefined) gone += 1;
    this.#gone = gone;
    if (gone < GONE_MIN || gone * 2 < things.length) return;
    this.#things = things.slice(gone);
    this.#first += gone;
    this.#gone = 0;
  }
}
