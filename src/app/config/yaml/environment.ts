/** Texts of a configuration that name environment variables, so that no file holds a secret. */

import { CliError } from '../../cli/cli-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** `text` with each `${NAME}` replaced. @throws CliError CONFIG_SECRET_UNSET, which names the variable and no value. */
export function withEnvironment(text: string, where: string, environment: Environment): string {
  return text.replace(REFERENCE, (_, name: string) => {
    const value = environment[name];
    if (value !== undefined && value !== '') return value;
    throw new CliError({
      code: 'CONFIG_SECRET_UNSET',
      what: `The environment variable ${name} is ${value === undefined ? 'not set' : 'empty'}.`,
      where,
      why: 'The configuration names it there, so that the value itself is in no file.',
      next: `Set it before: export ${name}=… Where it stands in a file .env: set -a; . ./.env; set +a`,
    });
  });
}

/** The values that `withEnvironment` puts into a text. */
export function valuesFor(text: string, environment: Environment): readonly string[] {
  return [...text.matchAll(REFERENCE)].flatMap(([, name = '']) => environment[name] ?? []);
}
