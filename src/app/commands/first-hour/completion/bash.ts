/** Completion for bash, as a script that stands alone. */

import type { CommandWords, FlagWords, Values } from './command-words.ts';

export function bashCompletion(all: readonly CommandWords[]): string {
  return `# Completion of oddsmith for bash, made by: oddsmith completion bash
_oddsmith() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} path='' i
  # Bash takes = for a word of its own.
  if [[ $cur == = ]]; then cur=''; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD - 2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${path:+$path }\${COMP_WORDS[i]}" in
      ${all.flatMap(({ path }) => (path === '' ? [] : [quoted(path)])).join(' | ')}) path="\${path:+$path }\${COMP_WORDS[i]}" ;;
    esac
  done
  COMPREPLY=()
  case "$path $prev" in
${all.flatMap((command) => command.flags.flatMap((flag) => valueCase(command, flag))).join('\n')}
  esac
  case "$path" in
${all.map(commandCase).join('\n')}
  esac
}
# Names of directories get their slash, and no blank after it.
_oddsmith_files() {
  compopt -o filenames 2> /dev/null
  local IFS=$'\\n'
  COMPREPLY=($(compgen -f -- "$1"))
}
complete -F _oddsmith oddsmith
`;
}

/** What stands after a flag that takes a value. */
function valueCase({ path }: CommandWords, { names, value }: FlagWords): readonly string[] {
  if (value === undefined) return [];
  return [`    ${names.map((name) => quoted(`${path} ${name}`)).join(' | ')}) ${reply(value)}; return ;;`];
}

function commandCase({ path, commands, flags, argument }: CommandWords): string {
  const names = flags.flatMap((flag) => flag.names).join(' ');
  const below = commands.length === 0 ? [] : [words(commands.map(([name]) => name))];
  const rest = [reply(argument ?? { kind: 'free' }), ...below].join('; ');
  return `    ${quoted(path)}) if [[ $cur == -* ]]; then ${words([names])}; else ${rest}; fi ;;`;
}

function reply(values: Values): string {
  switch (values.kind) {
    case 'words':
      return words(values.words);
    case 'path':
      return '_oddsmith_files "$cur"';
    case 'free':
      return ':';
  }
}

function words(list: readonly string[]): string {
  return `COMPREPLY+=($(compgen -W ${quoted(list.join(' '))} -- "$cur"))`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
