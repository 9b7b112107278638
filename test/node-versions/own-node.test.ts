/** Each command once as a process, on the Node that runs the tests; `npm run test:node-versions` compares it with other Nodes. */

import { expect, it } from 'vitest';
import { everyCommand } from '../support/every-command.ts';
import { ownNode } from '../support/node-versions/node-binary.ts';
import { smoke } from '../support/node-versions/smoke.ts';

it('every command does what it is for', async () => {
  const steps = await smoke(ownNode(), { golden: false });
  const commands = (await everyCommand()).map((words) => words.join(' '));
  const notPlayed = commands.filter((command) => !steps.some(({ name }) => name.includes(command)));
  // The others are played on it.
  expect(notPlayed).toEqual(['sandbox']);
});
