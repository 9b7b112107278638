/** `oddsmith explain`: says what a code means, what usually leads to it, and what to do. */

import { Command } from 'commander';
import { nearest } from '../../core/collections/nearest.ts';
import { CliError } from '../cli/cli-error.ts';
import type { FoundCode } from '../cli/codes/catalogue.ts';
import type { CommandContext } from '../cli/command-context.ts';
import { example, jsonFlag } from '../cli/flags.ts';
import { asOwnCommand } from '../cli/own-command.ts';

export function explainCommand(context: CommandContext): Command {
  const command = new Command('explain')
    .description('Say what a code means: of an error, a refusal, an alert, or a notice of a result.')
    .argument('<code>', 'such as TAPE_CORRUPT')
    .addOption(jsonFlag())
    .action((code: string, flags: { readonly json?: boolean }) => explain(context, code, flags.json === true));
  return example(command, '$ oddsmith explain TAPE_CORRUPT');
}

async function explain({ terminal }: CommandContext, asked: string, isJson: boolean): Promise<void> {
  const { everyCode, findCode } = await import('../cli/codes/catalogue.ts');
  const code = asked.trim().toUpperCase().replaceAll('-', '_');
  const found = findCode(code);
  if (found.length === 0) {
    throw new CliError({
      code: 'USAGE',
      what: `There is no code ${code}.`,
      next: `${likeIt(code, everyCode())}docs/errors.md and docs/operations.md list all of them.`,
    });
  }
  if (isJson) {
    terminal.out(`${JSON.stringify({ command: 'explain', code, meanings: found })}\n`);
    return;
  }
  for (const meaning of found) terminal.out(asOwnCommand(meaningText(meaning)));
}

/** A question that names codes like it; empty where there are none. */
function likeIt(code: string, known: readonly string[]): string {
  const containing = code.length < 3 ? [] : known.filter((other) => other.includes(code)).slice(0, 5);
  const near = nearest(code, known);
  const all = near === undefined || containing.includes(near) ? containing : [near, ...containing];
  return all.length === 0 ? '' : `Did you mean ${all.join(', ')}? `;
}

function meaningText({ code, kind, means, cause, next, exitCode, level, document }: FoundCode): string {
  const lines = [
    `${code}  (${kind}${level === undefined ? '' : `, ${level}`}${exitCode === undefined ? '' : `, exit code ${exitCode}`})`,
  ];
  const row = (label: string, text: string | undefined): void => {
    if (text !== undefined) lines.push(`  ${label.padEnd(6)} ${text}`);
  };
  row('means', means);
  row('cause', cause);
  row('next', next);
  row('more', document);
  return `${lines.join('\n')}\n`;
}
