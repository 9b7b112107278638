/** Completion for fish, with descriptions. */

import type { CommandWords, FlagWords, Values } from './command-words.ts';

export function fishCompletion(all: readonly CommandWords[]): string {
  const paths = all.flatMap(({ path }) => (path === '' ? [] : [quoted(path)]));
  return `# Completion of oddsmith for fish, made by: oddsmith completion fish
function __oddsmith_at
    set -l at ''
    for word in (commandline -opc)[2..-1]
        set -l next (string trim -- "$at $word")
        contains -- "$next" ${paths.join(' ')}; and set at $next
    end
    test "$at" = "$argv[1]"
end
complete -c oddsmith -f
${all.flatMap(linesOf).join('\n')}
`;
}

function linesOf({ path, commands, flags, argument }: CommandWords): readonly string[] {
  const here = `complete -c oddsmith -n ${quoted(`__oddsmith_at ${quoted(path)}`)}`;
  return [
    ...commands.map(([name, about]) => `${here} -a ${quoted(name)} -d ${quoted(about)}`),
    ...(argument === undefined || argument.kind === 'free' ? [] : [`${here} ${valueWords(argument)}`]),
    ...flags.map((flag) => `${here} ${flagLine(flag)}`),
  ];
}

function flagLine({ names, about, value }: FlagWords): string {
  const forms = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const taken = value === undefined ? '' : ` -r ${valueWords(value)}`;
  return `${forms.join(' ')} -d ${quoted(about)}${taken}`;
}

function valueWords(values: Values): string {
  switch (values.kind) {
    case 'words':
      return `-f -a ${quoted(values.words.join(' '))}`;
    case 'path':
      return '-F';
    case 'free':
      return '-f';
  }
}

/** Fish knows two escapes between quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
