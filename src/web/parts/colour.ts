/** The colours of the page as a canvas needs them: the values that theme.css has at this moment. */

/** Asking for a style in each frame would take longer than drawing it. */
const colours = new Map<string, string>();

/** The value of a colour of theme.css, such as `--accent`, as it is now. */
export function colour(name: string): string {
  const known = colours.get(name);
  if (known !== undefined) return known;
  const value = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  colours.set(name, value);
  return value;
}

const LINES = 6;

/** The colour of a line among several, such as one for each outcome: none of those that mean back, lay, gain or loss. */
export function lineColour(place: number): string {
  return place < LINES ? `--line-${place + 1}` : '--soft';
}

/** Calls when the page gets other colours: light and dark are changed, or it is printed. Returns what ends that. */
export function onColours(changed: () => void): () => void {
  const causes = ['(prefers-color-scheme: dark)', 'print'].map((query) => matchMedia(query));
  const forget = (): void => {
    colours.clear();
    changed();
  };
  for (const cause of causes) cause.addEventListener('change', forget);
  return () => {
    for (const cause of causes) cause.removeEventListener('change', forget);
  };
}
