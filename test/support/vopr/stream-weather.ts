/** What befalls the messages of the stream in one simulated life: drawn from its seed, apart from all other faults. */

import { Random } from '../../../src/core/number/random.ts';
import { isOn } from './hardships.ts';

/** `overtaken`: by messages that were sent after it. `bare`: of a whole book, and without its prices. */
const MESSAGE_FAULTS = ['lost', 'doubled', 'late', 'overtaken', 'garbled', 'bare'] as const;
type MessageFault = (typeof MESSAGE_FAULTS)[number];

/** `slow`: all messages are late. `rotated`: a fresh connection takes over, and what it held comes after newer messages. */
const SPELLS = ['silent', 'slow', 'rotated'] as const;

export interface StreamSpell {
  readonly kind: (typeof SPELLS)[number];
  readonly afterMs: number;
  readonly forMs: number;
}

export class StreamWeather {
  readonly spells: readonly StreamSpell[];
  readonly #random: Random;
  readonly #chances = new Map<MessageFault, number>();
  silentUntil = 0;
  slowUntil = 0;

  constructor(seed: number, chaosMs: number) {
    this.#random = Random.fromSeed(seed).fork().fork();
    const random = this.#random;
    const isCalm = !isOn('stream') || random.chance(0.15);
    for (const fault of MESSAGE_FAULTS)
      if (!isCalm && random.chance(0.5)) this.#chances.set(fault, random.exponential() * 0.08);
    const spells = isCalm ? [] : SPELLS.filter(() => random.chance(0.5));
    this.spells = spells.map((kind) => {
      return { kind, afterMs: random.below(chaosMs), forMs: 500 + random.below(kind === 'rotated' ? 4_000 : 12_000) };
    });
  }

  draw(): MessageFault | undefined {
    for (const [fault, chance] of this.#chances) if (this.#random.chance(chance)) return fault;
    return undefined;
  }

  /** How much later than others a message is. */
  lateMs(fault: MessageFault | undefined, now: number): number {
    if (fault === 'late') return 200 + this.#random.below(15_000);
    if (fault === 'overtaken') return 20 + this.#random.below(600);
    return now < this.slowUntil ? 3_000 + this.#random.below(3_000) : 0;
  }

  calm(): void {
    this.#chances.clear();
    this.silentUntil = 0;
    this.slowUntil = 0;
  }
}
