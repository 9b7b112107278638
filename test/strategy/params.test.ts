import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ParamsSpec, param } from '../../src/strategy/params.ts';
import { readParams } from '../../src/strategy/read-params.ts';

const spec = {
  stake: param.stake({ default: 10, max: 100 }),
  ticks: param.number({ default: 2, min: 1, max: 20, integer: true }),
  limit: param.price({ default: 2.02 }),
  patience: param.duration({ default: '30s', max: '1h' }),
  mode: param.choice({ of: ['fast', 'slow'], default: 'fast' }),
  live: param.flag({ default: false }),
  label: param.text({ default: 'x', pattern: /^[a-z]+$/ }),
};

function read<P extends ParamsSpec>(params: P, given: Readonly<Record<string, unknown>>) {
  const result = readParams(params, given);
  if (result.kind === 'problems') throw new Error(result.problems.map(({ message }) => message).join(' '));
  return result.values;
}

function messageOf(given: Readonly<Record<string, unknown>>): string {
  const result = readParams<ParamsSpec>(spec, given);
  return result.kind === 'problems' ? result.problems.map(({ message }) => message).join(' ') : 'no problem';
}

describe('params', () => {
  it('have their defaults, durations in ms', () => {
    expect(read(spec, {})).toEqual({
      stake: 10,
      ticks: 2,
      limit: 2.02,
      patience: 30_000,
      mode: 'fast',
      live: false,
      label: 'x',
    });
  });

  it('are typed by their declarations', () => {
    const values = read(spec, {});
    const mode: 'fast' | 'slow' = values.mode;
    const live: boolean = values.live;
    // @ts-expect-error a number is no text
    const wrong: string = values.stake;
    expect([mode, live, wrong]).toEqual(['fast', false, 10]);
  });

  it('read the same from configuration and from text', () => {
    const native = { stake: 2.5, ticks: 3, limit: 1.01, patience: 500, mode: 'slow', live: true, label: 'abc' };
    const written = {
      stake: '2.5',
      ticks: '3',
      limit: '1.01',
      patience: '500ms',
      mode: 'slow',
      live: 'true',
      label: 'abc',
    };
    expect(read(spec, native)).toEqual(native);
    expect(read(spec, written)).toEqual(native);
  });

  it.each([
    ['500ms', 500],
    ['30s', 30_000],
    ['1.5m', 90_000],
    ['1h', 3_600_000],
    [250, 250],
  ])('read the duration %s', (raw, ms) => expect(read(spec, { patience: raw }).patience).toBe(ms));

  it.each([
    [{ stake: 0 }, "'stake' is 0, which is not a positive stake of at most three decimals, at most 100."],
    [{ stake: 1.0001 }, "'stake' is 1.0001, which is not"],
    [{ stake: 101 }, "'stake' is 101, which is not"],
    [{ stake: '' }, "'stake' is '', which is not"],
    [{ stake: null }, "'stake' is null, which is not"],
    [{ stake: [1] }, "'stake' is [1], which is not"],
    [{ ticks: 1.5 }, "'ticks' is 1.5, which is not a whole number from 1 to 20."],
    [{ ticks: '0x1g' }, "'ticks' is '0x1g', which is not"],
    [{ ticks: Number.NaN }, "'ticks' is NaN, which is not"],
    [{ limit: 2.01 }, "'limit' is 2.01, which is not a ladder price."],
    [{ limit: Number.POSITIVE_INFINITY }, "'limit' is Infinity, which is not"],
    [{ patience: '2h' }, "'patience' is '2h', which is not a duration such as 500ms, 30s, 5m or 2h, at most 1h."],
    [{ patience: '10 fortnights' }, "'patience' is '10 fortnights', which is not a duration"],
    [{ patience: -1 }, "'patience' is -1, which is not a duration"],
    [{ mode: 'medium' }, "'mode' is 'medium', which is not one of fast, slow."],
    [{ live: 'yes' }, "'live' is 'yes', which is not true or false."],
    [{ label: 'A1' }, "'label' is 'A1', which is not text that matches /^[a-z]+$/."],
    [{ sake: 3 }, "There is no param 'sake'. The strategy's params are stake, ticks,"],
    [{ toString: 3 }, "There is no param 'toString'."],
  ])('refuse %j', (given, message) => expect(messageOf(given)).toContain(message));

  it.each([5, '5', ' 300000 ', 1e3])('that are durations need their unit where a person wrote them: %j', (raw) => {
    const result = readParams(spec, { patience: raw }, { patience: 'a.yaml:3:9' });
    expect(result).toMatchObject({
      problems: [{ param: 'patience', where: 'a.yaml:3:9', message: expect.stringContaining('needs its unit') }],
    });
    expect(read(spec, { patience: raw }).patience, "a program's number is ms").toBe(Number(raw));
  });

  it('say in which unit a large number would be written', () => {
    const result = readParams(spec, { patience: 300_000 }, { patience: '--param patience=300000' });
    expect(result).toMatchObject({
      problems: [
        {
          message:
            "The param 'patience' is 300000, and a duration needs its unit: 500ms, 30s, 5m or 2h (300000 milliseconds are 5m).",
        },
      ],
    });
  });

  it.each([
    [0, 0],
    ['0', 0],
    ['5m', 300_000],
  ])('take the duration %j wherever it was written', (raw, ms) => {
    expect(readParams(spec, { patience: raw }, { patience: 'a.yaml:3:9' })).toMatchObject({ values: { patience: ms } });
  });

  it('report every problem at once', () => {
    const result = readParams(spec, { stake: -1, ticks: 'many', sake: 3 });
    expect(result.kind === 'problems' && result.problems.map((problem) => problem.param)).toEqual([
      'sake',
      'stake',
      'ticks',
    ]);
  });

  it('must be given where they have no default', () => {
    expect(readParams({ stake: param.stake() })).toMatchObject({
      problems: [{ param: 'stake', value: undefined, message: expect.stringContaining('must be given') }],
    });
  });

  it('are refused with a default that is not allowed', () => {
    expect(() => param.number({ default: 5, max: 4 })).toThrow('The default 5 is not a number, at most 4.');
    expect(() => param.duration({ default: 'soon' })).toThrow('soon is not a duration');
  });

  it('never throw on a value, whatever it is', () => {
    fc.assert(
      fc.property(fc.anything(), (raw) => {
        for (const [name, declared] of Object.entries(spec)) {
          const result = readParams({ [name]: declared }, { [name]: raw });
          if (result.kind === 'values') expect(result.values[name]).not.toBeUndefined();
        }
      }),
    );
  });
});
