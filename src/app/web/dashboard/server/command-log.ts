/** Commands of the dashboard: each is carried out once, whatever is sent twice, and followed until a state proves it. */

import type { CommandEntry, CommandOffer } from '../../../../pages/panels.ts';
import type { MemoryFile, RememberedCommand } from '../memory/memory-file.ts';
import { aboutText, faultOfValues } from './command-values.ts';
import type { CommandAsked, Commands, Progress } from './source.ts';

export interface CommandRequest extends CommandAsked {
  readonly key: string;
  /** What was typed to confirm it. */
  readonly word: string;
}

export type CommandAnswer =
  | { readonly kind: 'heard'; readonly entry: CommandEntry }
  | { readonly kind: 'invalid'; readonly why: string };

/** This many keys are remembered: far more than a person types. */
const KEYS_MAX = 1_000;
/** And so many over a restart. */
const REMEMBERED_MAX = 200;
const SHOWN_MAX = 50;
const REASON_MAX = 500;
const LOOK_EVERY_MS = 250;

interface Kept {
  readonly key: string;
  /** What the key stands for: a second request with it must be the same. */
  readonly asked: string;
  readonly words: Pick<CommandEntry, 'name' | 'title' | 'about' | 'reason'>;
  readonly heardAt: number;
  doneAt: number | undefined;
  refused: string | undefined;
  proof: string;
  progress: (() => Progress) | undefined;
}

export class CommandLog {
  readonly #commands: Commands;
  readonly #now: () => number;
  readonly #memory: MemoryFile | undefined;
  readonly #kept = new Map<string, Kept>();
  #timer: NodeJS.Timeout | undefined;

  constructor(commands: Commands, now: () => number, memory?: MemoryFile) {
    this.#commands = commands;
    this.#now = now;
    this.#memory = memory;
    for (const known of memory?.known.commands ?? []) this.#kept.set(known.key, keptOf(known));
  }

  /** The newest first. */
  get entries(): readonly CommandEntry[] {
    this.#look();
    return [...this.#kept.values()].slice(-SHOWN_MAX).reverse().map(entryOf);
  }

  get pending(): number {
    this.#look();
    return this.#open;
  }

  get #open(): number {
    return [...this.#kept.values()].filter((kept) => kept.progress !== undefined).length;
  }

  /** A request with a key that was heard before is that command: it is answered, and not carried out again. */
  async ask(request: CommandRequest): Promise<CommandAnswer> {
    const { key, name, of, values } = request;
    const known = this.#kept.get(key);
    if (known !== undefined) {
      if (known.asked === askedText(request)) return { kind: 'heard', entry: entryOf(known) };
      return { kind: 'invalid', why: 'The key belongs to another command.' };
    }
    const offer = this.#commands.offers(of).find((each) => each.name === name && each.of === of);
    if (offer === undefined) return { kind: 'invalid', why: 'There is no such command.' };
    const why = faultOf(request, offer);
    if (why !== undefined) return { kind: 'invalid', why };
    const reason = request.reason.trim() === '' && offer.hasReason ? 'from the dashboard' : request.reason.trim();
    const kept: Kept = {
      key,
      asked: askedText(request),
      words: { name, title: offer.title, about: aboutText(offer, values), reason },
      heardAt: this.#now(),
      doneAt: undefined,
      refused: undefined,
      proof: 'heard',
      progress: undefined,
    };
    // Kept before it is carried out: a second request that comes meanwhile finds it.
    this.#keep(kept);
    const carried = await this.#commands.carryOut({ name, of, values, reason });
    if ('refused' in carried) {
      kept.refused = carried.refused;
      kept.proof = 'refused';
      this.#remember();
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

  #keep(kept: Kept): void {
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= KEYS_MAX && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(kept.key, kept);
    this.#remember();
  }

  #remember(): void {
    const newest = [...this.#kept.values()].slice(-REMEMBERED_MAX);
    this.#memory?.keepCommands(newest.map((kept) => ({ ...entryOf(kept), asked: kept.asked })));
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
      this.#remember();
    }
    if (this.#open > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** What of a request is the command: not how it was confirmed, nor why. */
function askedText({ name, of, values }: CommandRequest): string {
  return JSON.stringify([name, of, Object.entries(values).sort()]);
}

function faultOf(request: CommandRequest, offer: CommandOffer): string | undefined {
  const { key, reason, word, values } = request;
  if (word !== offer.word) return `To confirm it, type ${offer.word}.`;
  if (!/^[A-Za-z0-9-]{16,64}$/.test(key)) return 'The key has 16 to 64 letters, digits and hyphens.';
  if (reason.length > REASON_MAX) return `The reason has at most ${REASON_MAX} characters.`;
  return offer.off ?? faultOfValues(offer, values);
}

function entryOf({ key, words, heardAt, doneAt, refused, proof }: Kept): CommandEntry {
  return { key, ...words, heardAt, doneAt, refused, proof };
}

/** A command of an earlier process: what it was is known, and nobody follows it any more. */
function keptOf({ key, asked, name, title, about, reason, heardAt, doneAt, refused, proof }: RememberedCommand): Kept {
  const isOpen = doneAt === undefined && refused === undefined;
  return {
    ...{ key, asked, words: { name, title, about, reason }, heardAt, doneAt, refused },
    proof: isOpen ? `${proof}; the process was started again since, and does not carry it out again` : proof,
    progress: undefined,
  };
}
