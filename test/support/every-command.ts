/** Every command of the command line, read from its own help, so that tests find a new one by themselves. */

import { run } from '../app/fake-terminal.ts';

/** The words of each command, in the order of the help; a command with commands of its own (`tape`) stands before them. */
export async function everyCommand(parent: readonly string[] = []): Promise<readonly (readonly string[])[]> {
  const { out } = await run(...parent, '--help');
  const list = /\nCommands:\n((?: {2}.*\n)+)/.exec(out)?.[1] ?? '';
  const names = [...list.matchAll(/^ {2}(\w+)/gm)].map(([, name = '']) => name).filter((name) => name !== 'help');
  const found = [];
  for (const name of names) found.push([...parent, name], ...(await everyCommand([...parent, name])));
  return found;
}
