/** The navigation menu: a tree of groups, event types, events, races and markets. */

import { Type } from '@sinclair/typebox';
import { type Frozen, id, integer, maybe, moment, text, words } from '../../../codec/notation.ts';

const NavigationTypeWord = words('NavigationType', ['GROUP', 'EVENT_TYPE', 'EVENT', 'RACE', 'MARKET']);

/** The fields of a node. Which of them it has follows from its type; a tree is nodes with children, to any depth. */
const NavigationFields = Type.Object({
  type: NavigationTypeWord,
  name: text,
  id,
  exchangeId: maybe(id),
  marketType: maybe(text),
  marketStartTime: maybe(moment),
  numberOfWinners: maybe(integer),
  countryCode: maybe(text),
  venue: maybe(text),
  startTime: maybe(moment),
  raceNumber: maybe(text),
});

export type NavigationNode = Frozen<(typeof NavigationFields)['static']> & {
  readonly children?: readonly NavigationNode[];
};
