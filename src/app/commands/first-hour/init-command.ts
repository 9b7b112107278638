/** `oddsmith init`: a project of the user's own, with a strategy, its test and the configurations. */

import { Command, Option } from 'commander';
import { packageVersion } from '../../../package/running-package.ts';
import { shellWord } from '../../../recording/tape/recording-hint.ts';
import { printable } from '../../../words/printable.ts';
import type { CommandContext } from '../../cli/command-context.ts';
import { example, jsonFlag } from '../../cli/flags.ts';
import type { MadeProject } from './init/make-project.ts';

interface InitFlags {
  readonly from?: string;
  readonly json?: boolean;
}

export function initCommand(context: CommandContext): Command {
  const command = new Command('init')
    .description(
      'Make a project of your own: a strategy with a test, configurations, types. A folder that holds more than .git is refused.',
    )
    .argument('<dir>', 'where; its last part becomes the name of the project')
    .addOption(
      new Option(
        '--from <file>',
        'a packed oddsmith (oddsmith-*.tgz of `npm pack`) that the project depends on',
      ).default(undefined, 'the version that runs, from where it came'),
    )
    .addOption(jsonFlag())
    .action((directory: string, flags: InitFlags) => init(context, directory, flags));
  return example(command, '$ oddsmith init my-bot\n$ oddsmith init another-bot --from oddsmith-0.1.0.tgz');
}

async function init({ terminal }: CommandContext, directory: string, flags: InitFlags): Promise<void> {
  const { makeProject } = await import('./init/make-project.ts');
  const made = await makeProject(directory, flags.from);
  if (flags.json === true) {
    terminal.out(`${JSON.stringify({ command: 'init', version: packageVersion(), ...made })}\n`);
    return;
  }
  terminal.out(made.files.map((file) => `${printable(file)}\n`).join(''));
  terminal.note(nextWords(made));
}

function nextWords({ directory: made, dependency }: MadeProject): string {
  const directory = printable(made);
  return `
Made in ${directory}; it depends on oddsmith ${dependency}.

Next:
  cd ${shellWord(directory)}
  npm install            # with the Node that it runs on${engineWords()}
  npm test               # of strategies/my-strategy.ts
  npm run check          # types
  npm run backtest       # over the sample recording, with a report in runs/

Then change strategies/my-strategy.ts, and run them again.
Its README.md says what else there is.
`;
}

/** Packages that oddsmith needs ask for it. */
const OLDEST_MAJOR = 22;

/** What npm says on an older Node reads like a failure, and is none. */
function engineWords(): string {
  const [, version] = /\bnode\/v?([\d.]+)/.exec(process.env['npm_config_user_agent'] ?? '') ?? [];
  if (version === undefined || Number.parseInt(version, 10) >= OLDEST_MAJOR) return '';
  return `: the warnings EBADENGINE about Node ${version} do not matter`;
}
