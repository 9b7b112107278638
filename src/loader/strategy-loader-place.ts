/** Finds the user's own line behind an error that a bundled strategy threw. */

import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';
import { describeThrown } from '../core/checks/thrown.ts';
import type { Place } from './strategy-loader-fault.ts';

/** The scripts of all bundles that this thread has loaded. */
const scriptNames = new Set<string>();

/** Whether a stack names any strategy's bundle. */
export function isInStrategy(thrown: unknown): boolean {
  const { stack } = describeThrown(thrown);
  return stack !== undefined && [...scriptNames].some((name) => stack.includes(name));
}

/** `scriptName` is what stack frames of the bundle are called; `files` are the user's sources. */
export class StackReader {
  readonly #scriptName: string;
  readonly #mapText: string;
  /** Read when it is first needed: most loads end without an error. */
  #map: SourceMap | undefined;
  readonly #files: readonly string[];

  constructor(bundle: { readonly scriptName: string; readonly map: string; readonly files: readonly string[] }) {
    this.#scriptName = bundle.scriptName;
    scriptNames.add(bundle.scriptName);
    this.#mapText = bundle.map;
    this.#files = bundle.files;
  }

  /** Whether a stack names the bundle: something in it threw, or called what threw. */
  isIn(thrown: unknown): boolean {
    return describeThrown(thrown).stack?.includes(this.#scriptName) === true;
  }

  /** The innermost place in the user's files; undefined for what has no stack, such as a thrown string. */
  placeOf(thrown: unknown): Place | undefined {
    const frames = this.stackOf(thrown)?.split('\n') ?? [];
    for (const frame of frames) {
      const file = this.#files.find((candidate) => frame.includes(`${candidate}:`));
      if (file === undefined) continue;
      const [, line, column] = /^:(\d+):(\d+)/.exec(frame.slice(frame.lastIndexOf(`${file}:`) + file.length)) ?? [];
      if (line !== undefined) return { file, line: Number(line), column: Number(column) };
    }
    return undefined;
  }

  /** The stack with the bundle's frames named after the user's files and lines. */
  stackOf(thrown: unknown): string | undefined {
    return describeThrown(thrown).stack?.replaceAll(
      new RegExp(`${escaped(this.#scriptName)}:(\\d+):(\\d+)`, 'g'),
      (frame, line, column) => {
        this.#map ??= new SourceMap(JSON.parse(this.#mapText));
        const entry = this.#map.findEntry(Number(line) - 1, Number(column) - 1);
        if (!('originalSource' in entry)) return frame;
        return `${fileURLToPath(entry.originalSource)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
      },
    );
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
