/** Reads the values that a strategy plots: each once, so that what is checked is what is kept. */

/** Names begin with a letter or digit, so that no spreadsheet takes one for a formula, and have no control characters. */
const NAME = /^[\p{L}\p{N}][^\p{C}]{0,39}$/u;
/** The most values of one call. */
const VALUES_MAX = 100;

/** Receives a value and its name; NaN where the line ends. */
export type PlotListener = (name: string, value: number) => void;

/** @throws TypeError inside the strategy's call, for a name or a value that cannot be plotted */
export function readPlot(values: unknown, plotted: PlotListener): void {
  if (typeof values !== 'object' || values === null)
    throw new TypeError(
      `plot takes an object of numbers by name, such as plot({ fair: 2.31 }), not ${kindOf(values)}.`,
    );
  const names = Object.keys(values);
  if (names.length > VALUES_MAX)
    throw new TypeError(`plot was given ${names.length} values at once: at most ${VALUES_MAX} are taken.`);
  for (const name of names) {
    if (!NAME.test(name))
      throw new TypeError(
        `plot cannot keep a value named ${JSON.stringify(name.slice(0, 60))}: a name has 1 to 40 characters and begins with a letter or digit.`,
      );
    const value: unknown = Reflect.get(values, name);
    if (value !== undefined && typeof value !== 'number')
      throw new TypeError(`plot takes numbers: '${name}' is ${kindOf(value)}.`);
    plotted(name, value === undefined || !Number.isFinite(value) ? Number.NaN : value);
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
