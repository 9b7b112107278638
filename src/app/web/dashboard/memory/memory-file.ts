/** What a dashboard knows over a restart of its run: hashes of its sessions, and the commands that were heard. */

import { lstatSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { CommandEntry } from '../../../../pages/panels.ts';

/** Nothing of it opens a session: only what a browser holds has this hash. */
export interface RememberedSession {
  readonly hash: string;
  readonly openedAt: number;
  readonly usedAt: number;
}

export interface RememberedCommand extends Omit<CommandEntry, 'doneAt' | 'refused'> {
  /** What the key stands for. */
  readonly asked: string;
  readonly doneAt?: number | undefined;
  readonly refused?: string | undefined;
}

interface Remembered {
  readonly sessions: readonly RememberedSession[];
  readonly commands: readonly RememberedCommand[];
}

const FORMAT = 1;
const OWNER_ONLY = 0o600;
const OTHERS = 0o077;
const NO_MEMORY: Remembered = { sessions: [], commands: [] };

export class MemoryFile {
  readonly #path: string;
  readonly #warn: (text: string) => void;
  #known: Remembered;

  /** `warn` is told what was not read or kept; the dashboard goes on, and forgets it at the end of the process. */
  constructor(path: string, warn: (text: string) => void) {
    this.#path = path;
    this.#warn = warn;
    this.#known = this.#read();
  }

  get known(): Remembered {
    return this.#known;
  }

  keepSessions(sessions: readonly RememberedSession[]): void {
    this.#keep({ ...this.#known, sessions });
  }

  keepCommands(commands: readonly RememberedCommand[]): void {
    this.#keep({ ...this.#known, commands });
  }

  /**
   * Writes the memory to the disk before it returns: a command that is carried out after it is not carried out again by the next process.
   */
  #keep(known: Remembered): void {
    this.#known = known;
    try {
      const draft = `${this.#path}.new`;
      writeFileSync(draft, JSON.stringify({ format: FORMAT, ...known }), { mode: OWNER_ONLY, flush: true });
      renameSync(draft, this.#path);
    } catch (error) {
      // A full disk must not keep anybody from halting the run.
      this.#warn(`sessions and commands of the dashboard are not kept over a restart: ${wordsOf(error)}`);
    }
  }

  #read(): Remembered {
    try {
      const file = lstatSync(this.#path, { throwIfNoEntry: false });
      if (file === undefined) return NO_MEMORY;
      if (!file.isFile() || (file.mode & OTHERS) !== 0) throw new Error('others than its owner may use it');
      return rememberedIn(JSON.parse(readFileSync(this.#path, 'utf8')));
    } catch (error) {
      this.#warn(`${this.#path} is not used, so that its sessions have ended: ${wordsOf(error)}`);
      return NO_MEMORY;
    }
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function rememberedIn(said: unknown): Remembered {
  const { format, sessions, commands } = Object(said);
  if (format !== FORMAT || !Array.isArray(sessions) || !Array.isArray(commands))
    throw new Error('it has another format');
  if (!sessions.every(isSession) || !commands.every(isCommand)) throw new Error('it is damaged');
  return { sessions, commands };
}

function isSession(said: unknown): said is RememberedSession {
  const { hash, openedAt, usedAt } = Object(said);
  return typeof hash === 'string' && Number.isFinite(openedAt) && Number.isFinite(usedAt);
}

function isCommand(said: unknown): said is RememberedCommand {
  const { heardAt, doneAt, refused, ...texts } = Object(said);
  const { key, asked, name, title, about, reason, proof } = texts;
  const areTexts = [key, asked, name, title, about, reason, proof].every((text) => typeof text === 'string');
  const isDone = doneAt === undefined || Number.isFinite(doneAt);
  return areTexts && isDone && Number.isFinite(heardAt) && (refused === undefined || typeof refused === 'string');
}
