/** Calls of strategies: whom, when, with what; and what becomes of one that throws, answers nonsense or asks for too much. */

import { Observable, Subject } from 'rxjs';
import { describe, expect, it, test } from 'vitest';
import type { Intent } from '../../src/core/intent.ts';
import { INTENTS_A_STEP_MAX, PAST_WAKE_MS } from '../../src/engine/decide.ts';
import { MARK, newMark } from '../../src/engine/guest/decision-mark.ts';
import type { DecideInput } from '../../src/strategy/contract.ts';
import { INTENTS_READ_MAX } from '../../src/strategy/decision/read-intents.ts';
import { EngineStage, NOTHING, PLACE, START } from '../support/engine/engine-stage.ts';

const THROWS = () => {
  throw new Error('no');
};

/** A stage in whose current step all strategies are to be called for new prices. */
function called(...decides: readonly unknown[]): EngineStage {
  const stage = new EngineStage({ plugins: decides.map((decide) => ({ decide: decide as typeof NOTHING })) });
  stage.foldMarket('listed');
  stage.foldMarket('prices', START + 5);
  return stage;
}

describe('a strategy that is called', () => {
  it('sees why and when, and its intents are proposed and logged', () => {
    const seen: unknown[] = [];
    const stage = called(({ why, now, market }: DecideInput) => {
      seen.push([why, now, market.id]);
      return [PLACE];
    });
    expect(stage.decide()).toBe(1);
    expect(seen).toEqual([['prices', START + 5, 'm']]);
    expect(stage.step.proposals.length).toBe(1);
    expect(stage.events).toMatchObject([
      { kind: 'decided', at: START + 5, strategy: 0, why: 'prices', intents: [PLACE] },
    ]);
  });

  it('that answers nothing leaves no trace', () => {
    const stage = called(NOTHING);
    expect(stage.decide()).toBe(1);
    expect([stage.events, stage.step.proposals.length]).toEqual([[], 0]);
  });

  it('cannot read its views after the call', () => {
    let kept: DecideInput | undefined;
    const stage = called((input: DecideInput) => {
      kept = input;
      return [];
    });
    stage.decide();
    expect(() => kept?.market.outcomes[0]?.bestAgainst).toThrow();
  });

  it('is not called while it is halted, and is not called any more once the run is told to end', () => {
    const mark = newMark();
    const stage = EngineStage.listed({ mark, plugins: [{ decide: NOTHING }, { decide: NOTHING }] });
    stage.inMarket().instance.halted = true;
    expect(stage.decide()).toBe(1);
    mark[MARK.ends] = 1;
    stage.foldMarket('prices', START + 7);
    expect(stage.decide()).toBe(0);
    stage.foldMarket('prices', START + 9);
    stage.decide();
    expect(stage.ledger.unasked).toEqual({ unaskedSince: START + 7 });
  });
});

describe('an alarm', () => {
  test.each([
    ['in the future is granted, at a whole millisecond', START + 9.5, START + 10],
    ['in the past is granted a little later, so that it makes no endless loop', START, START + 5 + PAST_WAKE_MS],
    ['for now counts as past', START + 5, START + 5 + PAST_WAKE_MS],
  ])('%s', (_, wakeAt, due) => {
    const stage = called(() => ({ wakeAt }));
    stage.decide();
    expect(stage.links).toEqual([{ what: 'wake first', due }]);
  });
});

describe('a strategy that fails', () => {
  it('by throwing is halted and its orders are cancelled; the others are called', () => {
    const stage = EngineStage.listed({ plugins: [{ decide: THROWS }, { decide: () => [PLACE] }] });
    const order = stage.resting();
    stage.foldMarket('prices');
    expect(stage.decide()).toBe(2);
    expect(stage.eventsOf('halted').map(({ halt }) => [halt.name, halt.code, halt.market])).toEqual([
      ['first', 'STRATEGY_THROW', 'm'],
    ]);
    expect(stage.step.takeCancels()).toEqual([order]);
    expect(stage.eventsOf('decided').map(({ strategy }) => strategy)).toEqual([1]);
    expect([...stage.ledger.risk.haltedStrategies]).toEqual([0]);
    expect(stage.foldMarket('prices')).toEqual(['first prices', 'second prices']);
    expect(stage.decide()).toBe(1);
  });

  test.each([
    ['no list', 7],
    ['a promise', Promise.resolve([])],
    ['intents that are no list', { intents: 'all' }],
  ])('by answering %s is halted for a bad result', (_, answer) => {
    const stage = called(() => answer);
    stage.decide();
    expect(stage.eventsOf('halted').map(({ halt }) => halt.code)).toEqual(['STRATEGY_BAD_RESULT']);
  });

  it('by more intents at one moment than all its markets may give is halted, and none of the last call is proposed', () => {
    const most = Array.from({ length: INTENTS_READ_MAX }, () => PLACE);
    const stage = called(() => most);
    // The calls of one step in many markets, of which this stage has one.
    const inMarket = stage.inMarket();
    const times = Math.ceil(INTENTS_A_STEP_MAX / INTENTS_READ_MAX);
    for (let i = 0; i < times; i += 1) stage.step.calls.push(inMarket, 'prices');
    expect(stage.decide()).toBe(times + 1);
    expect(stage.eventsOf('halted')).toMatchObject([{ halt: { code: 'STRATEGY_BAD_RESULT' } }]);
    expect(stage.step.proposals.length).toBe(times);
  });
});

describe('a strategy of the stream form', () => {
  const emitting = (run: (inputs$: Observable<DecideInput>) => Observable<readonly Intent[]>) => {
    const stage = EngineStage.listed({ plugins: [{ run }] });
    return stage;
  };

  it('answers with all that it emits during the call, and what it emits later is an input of its own', () => {
    const out$ = new Subject<readonly Intent[]>();
    const stage = emitting((inputs$) => {
      inputs$.subscribe(() => {
        out$.next([PLACE]);
        out$.next([PLACE, PLACE]);
      });
      return out$;
    });
    stage.decide();
    expect(stage.step.proposals.seconds[0]).toHaveLength(3);
    out$.next([PLACE]);
    expect(stage.links).toEqual([{ what: 'first 1' }]);
  });

  it('that fails between calls is passed on at once, and one that fails in a call is halted there', () => {
    const out$ = new Subject<readonly Intent[]>();
    const stage = emitting(() => out$);
    stage.decide();
    out$.error(new Error('broken'));
    expect(stage.links).toEqual([{ what: 'first STRATEGY_THROW' }]);
    const inCall = emitting((inputs$) => new Observable((listener) => inputs$.subscribe(() => listener.error('now'))));
    inCall.decide();
    expect(inCall.links).toEqual([]);
    expect(inCall.eventsOf('halted')).toMatchObject([{ halt: { code: 'STRATEGY_THROW', error: 'now' } }]);
  });
});
