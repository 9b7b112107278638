/** The simulated clock keeps RxJS's promises in simulated time. */

import fc from 'fast-check';
import { delay, interval, map, of, take, timer, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { SimulatedClock } from '../../src/time/simulated-clock.ts';

describe('simulated clock', () => {
  it('runs tasks in order of time and, at the same time, of scheduling', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 300 }), (delays) => {
        const clock = new SimulatedClock(1000);
        const ran: { due: number; index: number }[] = [];
        delays.forEach((ms, index) => {
          clock.at(1000 + ms, () => {
            expect(clock.now()).toBe(1000 + ms);
            ran.push({ due: 1000 + ms, index });
          });
        });
        clock.runUntil(2000);
        const expected = delays
          .map((ms, index) => ({ due: 1000 + ms, index }))
          .sort((a, b) => a.due - b.due || a.index - b.index);
        expect(ran).toEqual(expected);
        expect(clock.pending).toBe(0);
      }),
    );
  });

  it('runs what a task schedules for the same instant in the same sweep, and leaves what is later', () => {
    const clock = new SimulatedClock(0);
    const ran: string[] = [];
    clock.at(5, () => {
      ran.push('first');
      clock.at(5, () => ran.push('again at 5'));
      clock.at(6, () => ran.push('at 6'));
    });
    clock.runUntil(5);
    expect(ran).toEqual(['first', 'again at 5']);
    expect(clock.now()).toBe(5);
    expect(clock.nextDue).toBe(6);
  });

  it('drives timed RxJS operators without the global scheduler', () => {
    const clock = new SimulatedClock(100);
    const seen: [string, number][] = [];
    const log = (name: string) => () => seen.push([name, clock.now()]);
    of(1).pipe(delay(30, clock)).subscribe(log('delay'));
    timer(10, clock).subscribe(log('timer'));
    interval(20, clock).pipe(take(3)).subscribe(log('interval'));
    clock.runUntil(1000);
    expect(seen).toEqual([
      ['timer', 110],
      ['interval', 120],
      ['delay', 130],
      ['interval', 140],
      ['interval', 160],
    ]);
    expect(clock.pending).toBe(0);
  });

  it('runs nothing of an unsubscribed action', () => {
    const clock = new SimulatedClock(0);
    const values: number[][] = [];
    const subscription = interval(10, clock)
      .pipe(
        map((n) => n * 2),
        toArray(),
      )
      .subscribe((all) => values.push(all));
    clock.runUntil(25);
    subscription.unsubscribe();
    clock.runUntil(100);
    expect(values).toEqual([]);
    expect(clock.pending).toBe(0);
  });
});
