/** `oddsmith completion`: a script by which a shell completes commands, flags, their choices and paths. */

import { Argument, Command } from 'commander';
import type { CommandContext } from '../../cli/command-context.ts';
import { example } from '../../cli/flags.ts';
import type { CommandWords } from './completion/command-words.ts';

type Shell = 'bash' | 'zsh' | 'fish';
const SHELLS: readonly Shell[] = ['bash', 'zsh', 'fish'];

export function completionCommand({ terminal }: CommandContext): Command {
  const command = new Command('completion')
    .description('Print the script by which a shell completes commands, flags and their choices.')
    .addArgument(new Argument('<shell>', 'which shell').choices(SHELLS))
    .action(async (shell: Shell) => {
      const { commandWords } = await import('./completion/command-words.ts');
      const program = command.parent ?? command;
      terminal.out(await scriptFor(shell, commandWords(program)));
    });
  return example(
    command,
    `$ oddsmith completion bash > ~/.oddsmith-completion.bash && echo '. ~/.oddsmith-completion.bash' >> ~/.bashrc
$ oddsmith completion zsh > ~/.oddsmith-completion.zsh && echo 'autoload -Uz compinit && compinit; . ~/.oddsmith-completion.zsh' >> ~/.zshrc
$ mkdir -p ~/.config/fish/completions && oddsmith completion fish > ~/.config/fish/completions/oddsmith.fish`,
  );
}

async function scriptFor(shell: Shell, words: readonly CommandWords[]): Promise<string> {
  switch (shell) {
    case 'bash':
      return (await import('./completion/bash.ts')).bashCompletion(words);
    case 'zsh':
      return (await import('./completion/zsh.ts')).zshCompletion(words);
    case 'fish':
      return (await import('./completion/fish.ts')).fishCompletion(words);
  }
}
