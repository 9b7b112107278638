/** Says what was thrown, whatever it is: a strategy may throw what throws itself when it is looked at. */

interface Thrown {
  /** Whether it has the stack and the message of an error, of whatever realm. */
  readonly isError: boolean;
  /** A sentence: the error's own words, or what the value is. */
  readonly words: string;
  readonly stack: string | undefined;
}

/** Longer texts are cut: a message may hold a whole recording. */
const WORDS_MAX = 2_000;
const STACK_MAX = 16_000;

/** Never throws. Control characters are gone from what it gives, but for line ends. */
export function describeThrown(thrown: unknown): Thrown {
  if (typeof thrown !== 'object' || thrown === null) {
    return { isError: false, words: `The thrown value is ${textOf(thrown)}, no Error.`, stack: undefined };
  }
  const stack = fieldOf(thrown, 'stack');
  const message = fieldOf(thrown, 'message');
  if (stack === undefined || message === undefined) {
    return { isError: false, words: `The thrown value is ${textOf(thrown)}, no Error.`, stack: undefined };
  }
  const name = fieldOf(thrown, 'name') ?? 'Error';
  return { isError: true, words: clean(`${name}: ${message}`, WORDS_MAX), stack: clean(stack, STACK_MAX) };
}

/** As one text for a journal: the stack where there is one. */
export function thrownText(thrown: unknown): string {
  const { words, stack } = describeThrown(thrown);
  return stack ?? words;
}

function fieldOf(thrown: object, field: string): string | undefined {
  try {
    const value: unknown = Reflect.get(thrown, field);
    return typeof value === 'string' ? value : undefined;
  } catch {
    // A getter of the thrown object threw. That it says nothing of itself is what its description says.
    return undefined;
  }
}

function textOf(thrown: unknown): string {
  try {
    return clean(String(thrown), WORDS_MAX);
  } catch {
    // Its toString threw, or it has none.
    return `an ${typeof thrown} that cannot be written`;
  }
}

function clean(text: string, most: number): string {
  const cut = text.length > most ? `${text.slice(0, most)}…` : text;
  return cut.replaceAll(/[^\P{C}\n]/gu, ' ');
}
