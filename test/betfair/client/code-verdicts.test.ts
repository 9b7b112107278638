/** Each code of Betfair's interface descriptions has a decision, and those that prove nothing are the ones of profile section 6. */

import { expect, test } from 'vitest';
import { exceptionProof, instructionProof } from '../../../src/betfair/client/code-verdicts.ts';
import { InstructionErrorWord, ReportErrorWord } from '../../../src/betfair/wire/basics/codes.ts';
import { EXCEPTIONS } from '../../../src/betfair/wire/exceptions.ts';
import { betfairApiFile, describeWithRecordings } from '../../support/shared.ts';

/** After these an order may exist, or may still come to exist. */
const MAY_EXIST = [
  ...['BET_IN_PROGRESS', 'DUPLICATE_TRANSACTION', 'ERROR_IN_MATCHER', 'PROCESSED_WITH_ERRORS'],
  ...['REGULATOR_IS_NOT_AVAILABLE', 'SERVICE_UNAVAILABLE'],
];

test('codes of orders prove what the profile says', () => {
  const codes = [...(ReportErrorWord.enum ?? []), ...(InstructionErrorWord.enum ?? [])];
  expect(codes.length).toBeGreaterThan(50);
  const by = (proof: string) => [...new Set(codes)].filter((code) => instructionProof(code) === proof).sort();
  expect(by('unknown')).toEqual(MAY_EXIST);
  expect(by('ended')).toEqual(['BET_TAKEN_OR_LAPSED', 'INVALID_BET_ID']);
  expect(by('done')).toEqual(['NO_ACTION_REQUIRED']);
  expect(instructionProof('A_CODE_OF_TOMORROW')).toBe('unknown');
  expect(instructionProof(undefined)).toBe('unknown');
});

test('exceptions prove what the profile says', () => {
  const codes = [...new Set(Object.values(EXCEPTIONS).flatMap((each) => each.codes))];
  const by = (proof: string) => codes.filter((code) => exceptionProof(code) === proof).sort();
  expect(by('session')).toEqual(['INVALID_SESSION_INFORMATION', 'NO_SESSION']);
  expect(by('passing')).toEqual(['SERVICE_BUSY', 'TIMEOUT_ERROR', 'TOO_MANY_REQUESTS', 'UNEXPECTED_ERROR']);
  expect(exceptionProof('A_CODE_OF_TOMORROW')).toBe('unknown');
});

describeWithRecordings('the interface descriptions', () => {
  test.each([
    ['ExecutionReportErrorCode', ReportErrorWord],
    ['InstructionReportErrorCode', InstructionErrorWord],
  ])('%s: no code is without a decision', (name, words) => {
    const xml = betfairApiFile('interface', 'SportsAPING.xml');
    const block = new RegExp(`<simpleType name="${name}"[\\s\\S]*?</simpleType>`).exec(xml)?.[0] ?? '';
    const codes = [...block.matchAll(/<value[^>]*name="(\w+)"/g)].map(([, code = '']) => code);
    expect(codes.length).toBeGreaterThan(20);
    for (const code of codes) expect(words.enum).toContain(code);
  });
});
