/** Long lines in a terminal: none is cut, no word is lost, and tables keep their columns. */

import { describe, expect, test } from 'vitest';
import { NO_INK } from '../../src/report/text/colours.ts';
import { fitted } from '../../src/report/text/fitted.ts';
import { resultTable } from '../../src/report/text/table.ts';
import { sampleResult } from './sample-result.ts';

describe('a line that is longer than the terminal', () => {
  test('goes on below its text, behind the label', () => {
    const text = 'luck              settled −0.74, worth −0.72 at closing prices: 0.02 is bad luck\n';
    expect(fitted(text, 50)).toBe(
      'luck              settled −0.74, worth −0.72 at\n                  closing prices: 0.02 is bad luck\n',
    );
  });

  test('keeps its words, whatever they are', () => {
    const text =
      '  why    The strategy declares stake (a positive stake of at most three decimals).\nx\n\n  next   Mend it.\n';
    for (const columns of [1, 40, 60, 80]) {
      const broken = fitted(text, columns);
      expect(broken.split(/\s+/)).toEqual(text.split(/\s+/));
      expect(Math.max(...broken.split('\n').map((line) => line.length))).toBeLessThanOrEqual(Math.max(columns, 40));
    }
  });

  test('a colour takes no room', () => {
    const text = `\x1b[33m${'word '.repeat(8)}end\x1b[39m`;
    expect(fitted(text, 43)).toBe(text);
    expect(fitted(text, 42)).toBe(`\x1b[33m${'word '.repeat(8).trimEnd()}\n  end\x1b[39m`);
  });

  test('a word that is longer than the line stays whole, so that it can be copied', () => {
    expect(fitted(`where  ${'/directory'.repeat(12)}`, 60)).toContain('/directory'.repeat(12));
  });

  test('a line that holds a command stays whole, so that it can be copied', () => {
    const text = '  next   Import it first: oddsmith import betfair recordings/ --tape data/first.tape.';
    expect(fitted(text, 60, /oddsmith [a-z]/)).toBe(text);
    expect(fitted(text, 60, /oddsmyth/)).not.toBe(text);
  });

  test('where no terminal shows it, nothing is broken', () => {
    expect(fitted('word '.repeat(100), undefined)).toBe('word '.repeat(100));
  });
});

describe('a result', () => {
  const one = sampleResult(1);
  const [market] = one.byMarket;
  const named =
    market === undefined ? [] : [{ ...market, eventName: 'A very long name of an event '.repeat(3), name: 'to win' }];
  const result = {
    ...one,
    byMarket: [...named, ...one.byMarket.map((each) => ({ ...each, status: 'Voided' as const }))],
  };

  test.each([60, 72, 80, 100, 120])('fits %i columns', (columns) => {
    const lines = resultTable(result, NO_INK, columns).split('\n');
    // A hash is a word.
    const widest = lines.filter((line) => !/[0-9a-f]{64}/.test(line));
    expect(widest.filter((line) => line.length > columns)).toEqual([]);
    const heads = lines.findIndex((line) => line.startsWith('market '));
    const net = (lines[heads] ?? '').indexOf('net profit') + 'net profit'.length;
    for (const line of lines.slice(heads + 1, heads + 3)) expect(line.slice(0, net)).toMatch(/\d\.\d\d$/);
  });

  test('a terminal that is wide enough shows what a file holds', () => {
    expect(resultTable(result, NO_INK, 400)).toBe(resultTable(result));
  });

  test('a narrow one leaves out the interval of each market before their names', () => {
    expect(resultTable(result, NO_INK, 60)).not.toContain('interval\n');
    expect(resultTable(result, NO_INK, 80)).toContain('interval\n');
  });
});
