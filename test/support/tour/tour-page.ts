/** docs/sandbox-tour.md as a page whose shell blocks can be run and whose answers can be filled in. */

export interface TourBlock {
  readonly commands: string;
  /** What the page says that they print; undefined where it shows nothing. */
  readonly shown: string | undefined;
}

const BLOCK = /^```sh\n([\s\S]*?)\n```\n(?:\n```text\n([\s\S]*?)\n```\n)?/gm;

export function blocksOf(page: string): readonly TourBlock[] {
  return [...page.matchAll(BLOCK)].map(([, commands = '', shown]) => ({ commands, shown }));
}

/** The page with these answers filled in, one for each block; an empty one is not shown. */
export function withAnswers(page: string, answers: readonly string[]): string {
  let at = 0;
  return page.replace(BLOCK, (_, commands: string) => {
    const answer = answers[at] ?? '';
    at += 1;
    const shown = answer === '' ? '' : `\n\`\`\`text\n${answer}\n\`\`\`\n`;
    return `\`\`\`sh\n${commands}\n\`\`\`\n${shown}`;
  });
}

/** The statuses that an answer shows, in order. */
export function statusesIn(answer: string): readonly number[] {
  return [...answer.matchAll(/HTTP (\d{3})/g)].map(([, status]) => Number(status));
}

/** An answer without what differs from run to run: numbers, and names with a space or a digit in them. */
export function skeletonOf(answer: string): string {
  return answer
    .replace(
      /HTTP (\d{3})/g,
      (_, status: string) => `HTTP ${status.replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')}`,
    )
    .replace(/(['"])([^'"\n]*[\d ][^'"\n]*)\1/g, "'…'")
    .replace(/-?\d+(\.\d+)?/g, '0')
    .replace(/\s+/g, ' ');
}
