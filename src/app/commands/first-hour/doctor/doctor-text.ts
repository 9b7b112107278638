/** What the doctor found, as lines for people. */

import { plural } from '../../../../words/numbers.ts';
import { printable } from '../../../../words/printable.ts';
import type { Paint } from '../../../cli/terminal.ts';
import type { Check, CheckStatus } from './check.ts';

const NAME_WIDTH = 14;

export function doctorText(checks: readonly Check[], paint: Paint): string {
  return `${checks.map((check) => lines(check, paint)).join('')}\n${summary(checks, paint)}\n`;
}

function lines({ check, status, found, where, next }: Check, paint: Paint): string {
  const more = [
    ...(where === undefined ? [] : [`where  ${printable(where)}`]),
    ...(next === undefined ? [] : [`next   ${printable(next)}`]),
  ];
  const head = `${coloured(status, paint)} ${check.padEnd(NAME_WIDTH)}${printable(found)}\n`;
  return `${head}${more.map((line) => `${' '.repeat(NAME_WIDTH + 9)}${line}\n`).join('')}`;
}

function coloured(status: CheckStatus, paint: Paint): string {
  const text = status.padEnd(8);
  switch (status) {
    case 'ok':
      return paint.green(text);
    case 'failed':
      return paint.red(text);
    case 'warning':
      return paint.yellow(text);
  }
}

function summary(checks: readonly Check[], paint: Paint): string {
  const of = (status: CheckStatus): number => checks.filter((check) => check.status === status).length;
  const warnings = of('warning') === 0 ? '' : `, ${plural(of('warning'), 'warning')}`;
  return of('failed') === 0
    ? paint.green(`${of('ok')} of ${checks.length} are well${warnings}`)
    : paint.red(`${of('failed')} of ${checks.length} failed${warnings}`);
}
