/** docs/errors.md, made from the catalogue: `npm run make:errors`. */

import { ERROR_GROUPS, exitCodeOf } from '../src/app/cli/codes/catalogue.ts';
import type { Explained } from '../src/app/cli/codes/entry.ts';
import { NOTICE_CODES } from '../src/result/notices.ts';

export function errorsDocument(): string {
  return [
    HEAD,
    ...ERROR_GROUPS.flatMap(([title, codes]) => [
      `## ${title}`,
      table(
        ['code', 'exit', 'means', 'usual cause', 'what to do'],
        Object.entries(codes).map(([code, entry]) => errorRow(code, entry)),
      ),
    ]),
    NOTICES,
    table(
      ['code', 'means'],
      Object.entries(NOTICE_CODES).map(([code, means]) => [`\`${code}\``, means]),
    ),
    TAIL,
  ].join('\n\n');
}

function errorRow(code: string, { means, cause, next }: Explained): readonly string[] {
  return [`\`${code}\``, String(exitCodeOf(code)), means, cause, next];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

const HEAD = `# Errors

Made from the source by \`npm run make:errors\`; \`oddsmith explain CODE\` prints one of them.

An error is one block: its code, what happened, where (file, line and column where there is one), why, and what to do next. With \`--json\` it is the object \`error\` with
\`code\`, \`what\`, \`where\`, \`why\`, \`next\`. Match on the code; words may change. The exit code is that of most commands; where one command ends otherwise, its help says so.
What risk refuses and what a daemon reports has codes of its own: [operations.md](operations.md), "Refusals" and "Alerts". What the exchange answers is in [openapi.json](openapi.json).`;

const NOTICES = `## Notices of a result

Printed beside the figures of a backtest, under "Notices", and in \`notices\` of its JSON: they are no errors, and explain what would puzzle a reader.`;

const TAIL = `## Signals

Ctrl-C and SIGTERM end a command with 130; what it has until then is printed and written, and says that it was interrupted.
`;
