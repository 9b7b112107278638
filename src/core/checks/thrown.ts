/**
 * Describes a thrown value as text. Strategies may throw anything, also objects that throw again when they are read.
 */

export interface Thrown {
  /** A sentence: name and message of an error, or a description of any other value. */
  readonly text: string;
  /** Of what has a `stack` and a `message` that are texts. `instanceof Error` would be false for errors of another realm. */
  readonly stack: string | undefined;
}

/** Longer texts are cut, in characters: a message may quote a whole recording. */
const TEXT_MAX = 2_000;
const STACK_MAX = 16_000;

/** Never throws. Control characters are replaced by spaces, except line ends. */
export function describeThrown(thrown: unknown): Thrown {
  if (typeof thrown !== 'object' || thrown === null) {
    return { text: `The thrown value is ${textOf(thrown)}, no Error.`, stack: undefined };
  }
  const stack = fieldOf(thrown, 'stack');
  const message = fieldOf(thrown, 'message');
  if (stack === undefined || message === undefined) {
    return { text: `The thrown value is ${textOf(thrown)}, no Error.`, stack: undefined };
  }
  const name = fieldOf(thrown, 'name') ?? 'Error';
  return { text: clean(`${name}: ${message}`, TEXT_MAX), stack: clean(stack, STACK_MAX) };
}

/** One text for a journal: the stack where there is one, else the sentence. */
export function thrownText(thrown: unknown): string {
  const { text, stack } = describeThrown(thrown);
  return stack ?? text;
}

function fieldOf(thrown: object, field: string): string | undefined {
  try {
    const value: unknown = Reflect.get(thrown, field);
    return typeof value === 'string' ? value : undefined;
  } catch {
    // A getter of the thrown object threw: it is described as a value without this field.
    return undefined;
  }
}

function textOf(thrown: unknown): string {
  try {
    return clean(String(thrown), TEXT_MAX);
  } catch {
    // Its toString threw, or it has none.
    return `an ${typeof thrown} that cannot be written`;
  }
}

function clean(text: string, most: number): string {
  const cut = text.length > most ? `${text.slice(0, most)}…` : text;
  return cut.replaceAll(/[^\P{C}\n]/gu, ' ');
}
