/**
 * A doubly linked list in order of arrival: members are added and removed in constant time, without the hashing and the
 * growth of a Set.
 */

/** The place of a member in its list, made by `add` and valid for one `remove`. */
export interface ListLink<Member> {
  readonly member: Member;
  previous: ListLink<Member> | undefined;
  next: ListLink<Member> | undefined;
  isIn: boolean;
}

/**
 * Members may be removed during iteration, also the current one. Drop a link once it is removed: it refers to the links
 * that followed it and keeps them in memory.
 */
export class LinkedList<Member> implements Iterable<Member> {
  #first: ListLink<Member> | undefined;
  #last: ListLink<Member> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(member: Member): ListLink<Member> {
    const previous = this.#last;
    const link: ListLink<Member> = { member, previous, next: undefined, isIn: true };
    if (previous === undefined) this.#first = link;
    else previous.next = link;
    this.#last = link;
    this.#size += 1;
    return link;
  }

  /** False where the member was removed before. */
  remove(link: ListLink<Member>): boolean {
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

  /** The first link. Following `next` from here is a valid walk as long as no member is removed meanwhile. */
  get first(): ListLink<Member> | undefined {
    return this.#first;
  }

  *[Symbol.iterator](): Generator<Member> {
    for (let link = this.#first; link !== undefined; link = following(link)) yield link.member;
  }
}

/** The next link that is still in the list. A removed link keeps its `next`, which may itself have been removed. */
function following<Member>(link: ListLink<Member>): ListLink<Member> | undefined {
  let next = link.next;
  while (next !== undefined && !next.isIn) next = next.next;
  return next;
}
