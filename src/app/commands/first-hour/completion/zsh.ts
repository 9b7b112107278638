/** Completion for zsh, with descriptions, as a file for a directory of $fpath. */

import type { CommandWords, FlagWords, Values } from './command-words.ts';

export function zshCompletion(all: readonly CommandWords[]): string {
  return `#compdef oddsmith
# Completion of oddsmith for zsh, made by: oddsmith completion zsh
_oddsmith() {
  local at='' word
  local -a list
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${at:+$at }$word" in
      ${all.flatMap(({ path }) => (path === '' ? [] : [quoted(path)])).join(' | ')}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at $words[CURRENT-1]" in
${all.flatMap((command) => command.flags.flatMap((flag) => valueCase(command, flag))).join('\n')}
  esac
  case "$at" in
${all.map(commandCase).join('\n')}
  esac
}
if [[ $funcstack[1] == _oddsmith ]]; then _oddsmith "$@"; else compdef _oddsmith oddsmith; fi
`;
}

function valueCase({ path }: CommandWords, { names, value }: FlagWords): readonly string[] {
  if (value === undefined) return [];
  return [`    ${names.map((name) => quoted(`${path} ${name}`)).join(' | ')}) ${reply(value)}; return ;;`];
}

function commandCase({ path, commands, flags, argument }: CommandWords): string {
  const described = flags.flatMap(({ names, about }) => names.map((name) => [name, about] as const));
  const below = commands.length === 0 ? [] : [list('command', commands)];
  const rest = [...below, reply(argument ?? { kind: 'free' })].join('; ');
  return `    ${quoted(path)}) if [[ $PREFIX == -* ]]; then ${list('flag', described)}; else ${rest}; fi ;;`;
}

function reply(values: Values): string {
  switch (values.kind) {
    case 'words':
      return `compadd -- ${values.words.map(quoted).join(' ')}`;
    case 'path':
      return '_files';
    case 'free':
      return ':';
  }
}

function list(what: string, described: readonly (readonly [name: string, about: string])[]): string {
  const entries = described.map(([name, about]) => quoted(`${name.replaceAll(':', '\\:')}:${about}`));
  return `list=(${entries.join(' ')}); _describe ${what} list`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
