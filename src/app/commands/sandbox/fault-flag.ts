/** `--fault '{"kind":"report"}'`: the faults that a sandbox begins with, as its control surface takes them. */

import { InvalidArgumentError, Option } from 'commander';
import type { LocalControl } from '../../../sandbox/control/local-control.ts';
import { CliError } from '../../cli/cli-error.ts';

export function faultFlag(): Option {
  return new Option('--fault <json>', 'begin with a fault, as POST /control/faults takes it (repeatable)').argParser(
    (text: string, all: readonly object[] | undefined) => [...(all ?? []), objectIn(text)],
  );
}

function objectIn(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // What is no JSON is refused as what is no object.
  }
  throw new InvalidArgumentError('It must be a JSON object, such as {"kind":"latency","delayMs":500}.');
}

/** @throws CliError where the sandbox has no such fault */
export function injectFaults(control: LocalControl, faults: readonly object[] = []): void {
  for (const fault of faults) {
    const said = control.ask({ method: 'POST', path: '/faults', body: fault });
    if (said.kind === 'done') continue;
    throw new CliError({
      code: 'USAGE',
      what: 'The sandbox has no such fault.',
      where: `--fault ${JSON.stringify(fault)}`,
      why: said.why,
      next: 'Give a fault of the table in docs/betfair-sandbox.md, or of docs/sandbox.md without --betfair.',
    });
  }
}
