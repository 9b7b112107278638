/** The markets that one strategy watches, by the event that they belong to. */

/** Markets of one event, in the order in which they came; `version` grows when one comes or goes. */
export interface EventGroup<Member> {
  readonly members: readonly Member[];
  readonly version: number;
}

interface Growing<Member> extends EventGroup<Member> {
  readonly members: Member[];
  version: number;
}

export class EventGroups<Member extends { readonly group: string }> {
  readonly #byName = new Map<string, Growing<Member>>();

  /** Undefined once none of its markets is watched any more. */
  get(name: string): EventGroup<Member> | undefined {
    return this.#byName.get(name);
  }

  add(member: Member): void {
    const known = this.#byName.get(member.group);
    if (known === undefined) {
      this.#byName.set(member.group, { members: [member], version: 0 });
      return;
    }
    known.members.push(member);
    known.version += 1;
  }

  remove(member: Member): void {
    const known = this.#byName.get(member.group);
    const at = known?.members.indexOf(member) ?? -1;
    if (known === undefined || at < 0) return;
    known.members.splice(at, 1);
    known.version += 1;
    if (known.members.length === 0) this.#byName.delete(member.group);
  }

  clear(): void {
    this.#byName.clear();
  }
}
