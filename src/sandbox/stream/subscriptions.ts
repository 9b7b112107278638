/** Who has subscribed to what, found by type and id; `*` is an id like any other here. */

import type { SubscriptionType } from '../../betdex/wire/basics/enums.ts';

export const ALL = '*';

export class Subscriptions<P> {
  readonly #byTopic = new Map<string, Set<P>>();
  readonly #topicsByPeer = new Map<P, Set<string>>();
  readonly #countByType = new Map<SubscriptionType, number>();

  add(peer: P, type: SubscriptionType, id: string): void {
    const topic = `${type} ${id}`;
    const topics = this.#topicsByPeer.get(peer) ?? new Set();
    if (topics.has(topic)) return;
    this.#topicsByPeer.set(peer, topics.add(topic));
    this.#byTopic.set(topic, (this.#byTopic.get(topic) ?? new Set()).add(peer));
    this.#countByType.set(type, (this.#countByType.get(type) ?? 0) + 1);
  }

  remove(peer: P, type: SubscriptionType, id: string): void {
    this.#removeTopic(peer, `${type} ${id}`);
  }

  has(peer: P, type: SubscriptionType, id: string): boolean {
    return this.#topicsByPeer.get(peer)?.has(`${type} ${id}`) ?? false;
  }

  /** How many the peer has. */
  count(peer: P): number {
    return this.#topicsByPeer.get(peer)?.size ?? 0;
  }

  dropPeer(peer: P): void {
    for (const topic of [...(this.#topicsByPeer.get(peer) ?? [])]) this.#removeTopic(peer, topic);
  }

  /** Whether anyone has subscribed to anything of the type. */
  hasAny(type: SubscriptionType): boolean {
    return (this.#countByType.get(type) ?? 0) > 0;
  }

  /** Everyone who has subscribed to one of the ids, once each. */
  of(type: SubscriptionType, ids: readonly string[]): ReadonlySet<P> {
    const [first, ...others] = ids.flatMap((id) => this.#byTopic.get(`${type} ${id}`) ?? []);
    if (first === undefined || others.length === 0) return first ?? new Set();
    const all = new Set(first);
    for (const peers of others) for (const peer of peers) all.add(peer);
    return all;
  }

  #removeTopic(peer: P, topic: string): void {
    const topics = this.#topicsByPeer.get(peer);
    if (topics?.delete(topic) !== true) return;
    if (topics.size === 0) this.#topicsByPeer.delete(peer);
    const peers = this.#byTopic.get(topic);
    peers?.delete(peer);
    if (peers?.size === 0) this.#byTopic.delete(topic);
    const type = topic.slice(0, topic.indexOf(' ')) as SubscriptionType;
    this.#countByType.set(type, (this.#countByType.get(type) ?? 1) - 1);
  }
}
