/** Commands of the dashboard: each is carried out once, whatever is sent twice, and followed until a state proves it. */

import type { CommandEntry } from '../../../../report/dashboard/panels.ts';
import type { Commands, Progress } from './source.ts';

export interface CommandRequest {
  readonly key: string;
  readonly name: string;
  readonly reason: string;
  /** What was typed to confirm it. */
  readonly word: string;
}

export type CommandAnswer =
  | { readonly kind: 'heard'; readonly entry: CommandEntry }
  | { readonly kind: 'invalid'; readonly why: string };

/** So many keys are remembered: far more than a person types. */
const KEYS_MAX = 1_000;
const SHOWN_MAX = 50;
const REASON_MAX = 500;
const LOOK_EVERY_MS = 250;

interface Kept {
  readonly request: CommandRequest;
  readonly heardAt: number;
  doneAt: number | undefined;
  refused: string | undefined;
  proof: string;
  progress: (() => Progress) | undefined;
}

export class CommandLog {
  readonly #commands: Commands;
  readonly #now: () => number;
  readonly #kept = new Map<string, Kept>();
  #timer: NodeJS.Timeout | undefined;

  constructor(commands: Commands, now: () => number) {
    this.#commands = commands;
    this.#now = now;
  }

  get offers(): Commands['offers'] {
    return this.#commands.offers;
  }

  /** The newest first. */
  get entries(): readonly CommandEntry[] {
    this.#look();
    return [...this.#kept.values()].slice(-SHOWN_MAX).reverse().map(entryOf);
  }

  get pending(): number {
    return [...this.#kept.values()].filter((kept) => kept.progress !== undefined).length;
  }

  /** A request with a key that was heard before is that command: it is answered, and not carried out again. */
  async ask(request: CommandRequest): Promise<CommandAnswer> {
    const { key, name, reason, word } = request;
    const known = this.#kept.get(key);
    if (known !== undefined) {
      if (known.request.name === name) return { kind: 'heard', entry: entryOf(known) };
      return { kind: 'invalid', why: 'The key belongs to another command.' };
    }
    const why = this.#faultOf(request);
    if (why !== undefined) return { kind: 'invalid', why };
    const kept: Kept = {
      request: { key, name, word, reason: reason.trim() === '' ? 'from the dashboard' : reason.trim() },
      heardAt: this.#now(),
      doneAt: undefined,
      refused: undefined,
      proof: 'heard',
      progress: undefined,
    };
    // Kept before it is carried out: a second request that comes meanwhile finds it.
    this.#keep(kept);
    const carried = await this.#commands.carryOut(name, kept.request.reason);
    if ('refused' in carried) {
      kept.refused = carried.refused;
      kept.proof = 'refused';
    } else {
      kept.progress = carried.progress;
      this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
      this.#look();
    }
    return { kind: 'heard', entry: entryOf(kept) };
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #faultOf({ key, name, reason, word }: CommandRequest): string | undefined {
    const offer = this.#commands.offers.find((each) => each.name === name);
    if (offer === undefined) return 'There is no such command.';
    if (word !== offer.word) return `To confirm it, type ${offer.word}.`;
    if (!/^[A-Za-z0-9-]{16,64}$/.test(key)) return 'The key has 16 to 64 letters, digits and hyphens.';
    return reason.length > REASON_MAX ? `The reason has at most ${REASON_MAX} characters.` : undefined;
  }

  #keep(kept: Kept): void {
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= KEYS_MAX && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(kept.request.key, kept);
  }

  /** A state that proves a command may pass before anybody looks at the page. */
  #look(): void {
    for (const kept of this.#kept.values()) {
      if (kept.progress === undefined) continue;
      const { isDone, proof } = kept.progress();
      kept.proof = proof;
      if (!isDone) continue;
      kept.doneAt = this.#now();
      kept.progress = undefined;
    }
    if (this.pending > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

function entryOf({ request: { key, name, reason }, heardAt, doneAt, refused, proof }: Kept): CommandEntry {
  return { key, name, reason, heardAt, doneAt, refused, proof };
}
