/** A list in order of arrival that anything can leave at once: what a set is too, without hashing or growing. */

/** Where a member stands; made by `add`, and good for one `remove`. */
export interface ChainLink<Member> {
  readonly member: Member;
  previous: ChainLink<Member> | undefined;
  next: ChainLink<Member> | undefined;
  isIn: boolean;
}

/** Members may leave while the chain is walked, the one at hand included. Let go of a link once it is removed: it holds its followers. */
export class LinkedList<Member> implements Iterable<Member> {
  #first: ChainLink<Member> | undefined;
  #last: ChainLink<Member> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(member: Member): ChainLink<Member> {
    const previous = this.#last;
    const link: ChainLink<Member> = { member, previous, next: undefined, isIn: true };
    if (previous === undefined) this.#first = link;
    else previous.next = link;
    this.#last = link;
    this.#size += 1;
    return link;
  }

  /** False where it has left already. */
  remove(link: ChainLink<Member>): boolean {
    if (!link.isIn) return false;
    const { previous, next } = link;
    if (previous === undefined) this.#first = next;
    else previous.next = next;
    if (next === undefined) this.#last = previous;
    else next.previous = previous;
    link.isIn = false;
    this.#size -= 1;
    return true;
  }

  /** Where a walk by hand begins: `next` of each link leads on, as long as nobody leaves. */
  get first(): ChainLink<Member> | undefined {
    return this.#first;
  }

  *[Symbol.iterator](): Generator<Member> {
    for (let link = this.#first; link !== undefined; link = following(link)) yield link.member;
  }
}

/** A link that has left still says what came after it; where that has left too, what came after that. */
function following<Member>(link: ChainLink<Member>): ChainLink<Member> | undefined {
  let next = link.next;
  while (next !== undefined && !next.isIn) next = next.next;
  return next;
}
