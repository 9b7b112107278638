/** Creates the sandbox's event and market of a recorded one: names and rules as recorded, times shifted to now. */

import type { Instant } from '../../core/number/units.ts';
import type { RecordedDefinition } from '../../recording/tape/definition.ts';
import type { TapeMarket } from '../../recording/tape/tape-schema.ts';
import { termsOf } from '../../simulator/fill-model/market-life.ts';
import { applyChange, eventGroup, eventOfKind, type MarketMaker, marketType } from './market-maker.ts';
import { recordedFacts } from './recorded-facts.ts';
import type { TrafficContext } from './traffic.ts';

/**
 * No cross matching, even where the recorded market had it: stakes below 0.001, which no order can have, may have kept
 * recorded stakes from matching that would match here. The results of cross matching are in the recording already.
 */
export const LIFE_RULES = { crossMatching: false } as const;

const CATEGORY = { id: 'RECORDED', name: 'Recorded markets' };
const SUBCATEGORY = { id: 'RECORDED_TAPES', name: 'Tapes' };
const CODE_MAX = 40;

export function makeEvent(context: TrafficContext, maker: MarketMaker, recorded: TapeMarket, at: Instant): number {
  const { eventId, eventName, venue } = recorded.facts;
  const place = venue ?? 'Tapes';
  const eventGroupId = eventGroup(context, {
    category: CATEGORY,
    subcategory: SUBCATEGORY,
    group: { id: `RECORDED_${word(place)}`, name: place },
  });
  const changed = applyChange(context, {
    kind: 'createEvent',
    app: maker.app,
    eventGroupId,
    participantIds: [],
    name: eventName,
    code: word(eventId).slice(0, CODE_MAX),
    expectedStartTime: at,
  });
  return eventOfKind(changed, 'eventCreated').event;
}

/** Creates the market unpublished: the recording's first definition publishes it. */
export function makeMarket(
  context: TrafficContext,
  maker: MarketMaker,
  parts: {
    readonly recorded: TapeMarket;
    readonly definitions: readonly RecordedDefinition[];
    readonly event: number;
    readonly lockAt: Instant;
    readonly showsRecorded: boolean;
  },
): number {
  const { recorded, definitions, event, lockAt, showsRecorded } = parts;
  const { outcomes: count, ...known } = termsOf(definitions, LIFE_RULES);
  // This exchange says from the start whether a market goes in play.
  const terms = {
    ...known,
    event,
    turnsInPlay: definitions.some(({ inPlayStatus }) => inPlayStatus !== 'NotApplicable'),
  };
  const { name, marketTypeId, outcomes } = recorded.facts;
  const changed = applyChange(context, {
    kind: 'createMarket',
    app: maker.app,
    currencyId: maker.currencyId,
    name,
    ...terms,
    lockAt,
    marketTypeId: marketType(context, { id: word(marketTypeId), outcomes: count, winners: terms.winners }),
    outcomes: outcomes.map(({ title }) => ({ title })),
    ...(showsRecorded ? { recorded: recordedFacts(recorded) } : {}),
  });
  return eventOfKind(changed, 'marketCreated').market;
}

/** A text in the form of a catalogue id. */
function word(text: string): string {
  const spelt = text.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
  return spelt === '' ? '_' : spelt;
}
