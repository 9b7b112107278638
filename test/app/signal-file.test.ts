import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { SignalFile } from '../../src/loader/signals/signal-file.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

let dir = '';
beforeEach(() => {
  dir = temporaryDirectory('signal');
});

function file(name: string, text: string): string {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
}

const HEADER = 'availableAt,market,outcome,value\n';
const NOON = Date.UTC(2026, 2, 24, 12);

describe('a signal file', () => {
  it('is read as CSV by its header, whatever the columns’ order, quotes and line ends', () => {
    const path = file(
      'model.csv',
      `\uFEFFoutcome,value,note,market,availableAt\r\n"O, 1",0.25,"a ""b""",m,2026-03-24T12:00:00Z\r\n\r\nß,-1e-3,,m,${NOON + 1}\r\n`,
    );
    expect(new SignalFile(path).read({ final: true })).toEqual({
      rows: [
        { availableAt: NOON, market: 'm', outcome: 'O, 1', value: 0.25 },
        { availableAt: NOON + 1, market: 'm', outcome: 'ß', value: -0.001 },
      ],
      faults: [],
    });
  });

  it('is read as JSON lines otherwise, with ids as numbers or texts and times with any zone', () => {
    const path = file(
      'model.jsonl',
      `{"availableAt":"2026-03-24T13:00:00.500+01:00","market":12,"outcome":"7","value":1}\n{"availableAt":${NOON},"market":"12","outcome":7,"value":0,"more":1}`,
    );
    expect(new SignalFile(path).read({ final: true })).toEqual({
      rows: [
        { availableAt: NOON, market: '12', outcome: '7', value: 0 },
        { availableAt: NOON + 500, market: '12', outcome: '7', value: 1 },
      ],
      faults: [],
    });
  });

  it('is sorted stably', () => {
    const path = file('model.csv', `${HEADER}${[5, 3, 4, 3, 6].map((at, n) => `${NOON + at},m,o,${n}`).join('\n')}\n`);
    const { rows } = new SignalFile(path).read({ final: true });
    expect(rows.map(({ value }) => value)).toEqual([1, 3, 2, 0, 4]);
  });

  it.each([
    [`${NOON},m,o,`, 'value is not a number'],
    [`${NOON},m,o,much`, 'value is not a number'],
    [`${NOON},m,o,Infinity`, 'value is not a number'],
    [`${NOON},,o,1`, 'market is missing'],
    [`${NOON},m`, 'outcome is missing'],
    ['2026-03-24 12:00,m,o,1', 'availableAt is "2026-03-24 12:00", which is no time with its zone'],
    ['2026-03-24T12:00:00,m,o,1', 'availableAt is "2026-03-24T12:00:00", which is no time with its zone'],
    ['1774353600,m,o,1', 'availableAt is 1774353600, which looks like seconds: milliseconds are wanted'],
    [`"${NOON},m,o,1`, 'a quote is not closed'],
  ])('names the line that is no row: %s', (line, why) => {
    const path = file('model.csv', `${HEADER}${NOON},m,o,1\n${line}\n${NOON},m,o,2\n`);
    const { rows, faults } = new SignalFile(path).read({ final: true });
    expect(rows.map(({ value }) => value)).toEqual([1, 2]);
    expect(faults).toMatchObject([{ code: 'SIGNAL_ROW', file: path, line: 3, why }]);
  });

  it('names a bad header and bad JSON', () => {
    const csv = new SignalFile(file('model.csv', 'time,market,outcome,value\n')).read({ final: true });
    expect(csv.faults).toMatchObject([{ line: 1, why: 'the header lacks availableAt' }]);
    const json = new SignalFile(file('model.jsonl', '{"market":\n[1]\n')).read({ final: true });
    expect(json.faults).toMatchObject([
      { line: 1, why: expect.stringContaining('it is not JSON') },
      { line: 2, why: 'it is not a JSON object' },
    ]);
  });

  it('that is not there is a fault', () => {
    expect(new SignalFile(join(dir, 'none.csv')).read({ final: true }).faults).toMatchObject([
      { code: 'SIGNAL_NOT_FOUND' },
    ]);
  });

  it('is followed as it grows: a line being written waits until it is whole, also in the midst of a character', () => {
    const path = file('model.csv', HEADER);
    const signal = new SignalFile(path);
    const values = () => signal.read({ final: false }).rows.map(({ outcome, value }) => `${outcome}${value}`);
    expect(values()).toEqual([]);
    const line = Buffer.from(`${NOON},m,ß,1\n`);
    const half = line.indexOf(0xc3) + 1;
    appendFileSync(path, line.subarray(0, half));
    expect(values()).toEqual([]);
    appendFileSync(path, line.subarray(half));
    appendFileSync(path, `${NOON},m,o,2\n${NOON},m,o,3`);
    expect(values()).toEqual(['ß1', 'o2']);
    expect(values()).toEqual([]);
    appendFileSync(path, '0\nbad\n');
    const last = signal.read({ final: false });
    expect(last.rows.map(({ value }) => value)).toEqual([30]);
    expect(last.faults.map((fault) => fault.line)).toEqual([5]);
  });

  it('is read from its start when it was replaced by a shorter one', () => {
    const path = file('model.csv', `${HEADER}${NOON},m,o,1\n${NOON},m,o,2\n`);
    const signal = new SignalFile(path);
    signal.read({ final: false });
    writeFileSync(path, `${HEADER}${NOON},m,o,3\n`);
    expect(signal.read({ final: false }).rows.map(({ value }) => value)).toEqual([3]);
  });

  it('is read whole when it is larger than a chunk', () => {
    const lines = Array.from({ length: 100_000 }, (_, at) => `${NOON + at},m,o,${at}`);
    const { rows, faults } = new SignalFile(file('model.csv', `${HEADER}${lines.join('\n')}\n`)).read({ final: true });
    expect(faults).toEqual([]);
    expect(rows.map(({ value }) => value)).toEqual(lines.map((_, at) => at));
  });
});
