/** Runs commands one after the other in this process, each with a line of its own: the words come as JSON from stdin, what each printed and its code go to stdout. */

import { text } from 'node:stream/consumers';
import { run } from '../../app/fake-terminal.ts';

const commands: readonly (readonly string[])[] = JSON.parse(await text(process.stdin));
for (const words of commands) process.stdout.write(`${JSON.stringify(await run(...words))}\n`);
