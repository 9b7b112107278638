#!/usr/bin/env node
/** The `oddsmith` command. It looks at its Node, and loads the rest only where that is new enough. */

import { nodeRefusal } from './node-check.ts';

const isJson = process.argv.includes('--json');
const refusal = nodeRefusal(process.versions.node, isJson);
if (refusal === undefined) {
  // No `await` out here: an older Node could not even read the file.
  import('./start/command-line.ts').then(({ runCommandLine }) => runCommandLine(import.meta.url));
} else {
  (isJson ? process.stdout : process.stderr).write(refusal);
  process.exitCode = 2;
}
