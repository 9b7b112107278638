/** What the command line says of arguments: read by its own parser, with no command carried out. */

import { Command } from 'commander';
import { run } from '../../app/fake-terminal.ts';

/** The words of each simple command of a line, without comments and without what is written where. */
export function shellCommands(line: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  const pattern = /\s*(?:(#.*$)|(&&|\|\||;|\|)|(\d?>>?)\s*("[^"]*"|\S+)|((?:'[^']*'|"[^"]*"|[^\s'";|&])+))/gy;
  for (let found = pattern.exec(line); found !== null; found = pattern.exec(line)) {
    const [, , separator, , , word] = found;
    if (separator !== undefined) commands.push([]);
    if (word !== undefined) commands.at(-1)?.push(word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));
  }
  return commands.filter((words) => words.length > 0);
}

/** The arguments of oddsmith that a command hands it, however it is started; undefined where it starts something else. */
export function oddsmithArguments(words: readonly string[]): readonly string[] | undefined {
  for (const start of STARTS) if (start.every((word, at) => words[at] === word)) return words.slice(start.length);
  return undefined;
}

const STARTS = [
  ['npm', 'run', '-s', 'oddsmith', '--'],
  ['npx', 'oddsmith'],
  ['sudo', '-u', 'oddsmith', 'oddsmith'],
  ['oddsmith'],
];

/** What the parser refuses of these arguments; undefined where it takes them. */
export async function parserRefuses(args: readonly string[]): Promise<string | undefined> {
  const { action } = Command.prototype;
  Command.prototype.action = function without(this: Command) {
    return action.call(this, () => undefined);
  };
  try {
    const { code, note } = await run(...args);
    return code === 0 ? undefined : note.trim();
  } finally {
    Command.prototype.action = action;
  }
}
