/** The navigation menu: all markets as a tree of event types, competitions and events. */

import type { NavigationNode } from '../../../betfair/wire/documents/navigation.ts';
import type { World } from '../../../sandbox/world/world.ts';
import { momentOf } from '../../names/amounts.ts';
import { RACING } from '../../names/market-names.ts';
import { allFacts, type MarketFacts } from '../../state/market-facts.ts';

type Keys = readonly ((facts: MarketFacts) => NavigationNode)[];

export function navigationMenu(world: World): NavigationNode {
  const open = [...allFacts(world)].filter(({ status }) => status !== 'CLOSED');
  const children = below(open, [eventTypeNode, groupNode, eventNode]);
  return { children, id: '0', name: 'ROOT', type: 'GROUP' };
}

/** The nodes of one depth with all below them; markets are the leaves. */
function below(markets: readonly MarketFacts[], [nodeOf, ...deeper]: Keys): readonly NavigationNode[] {
  if (nodeOf === undefined) return markets.map(marketNode);
  const groups = new Map<string, MarketFacts[]>();
  const nodes = new Map<string, NavigationNode>();
  for (const facts of markets) {
    const node = nodeOf(facts);
    nodes.set(node.id, nodes.get(node.id) ?? node);
    groups.set(node.id, [...(groups.get(node.id) ?? []), facts]);
  }
  return [...nodes].map(([id, node]) => ({ children: below(groups.get(id) ?? [], deeper), ...node }));
}

function eventTypeNode({ eventType }: MarketFacts): NavigationNode {
  return { id: eventType.id, name: eventType.name, type: 'EVENT_TYPE' };
}

function groupNode({ competition }: MarketFacts): NavigationNode {
  return { id: competition.id, name: competition.name, type: 'GROUP' };
}

/** A race is a node of its own kind, with its venue and its time. */
function eventNode({ eventName, eventId, eventType, startsAt, countryCode, venue }: MarketFacts): NavigationNode {
  if (eventType.id !== RACING || venue === undefined)
    return { id: eventId, name: eventName, type: 'EVENT', countryCode };
  const startTime = momentOf(startsAt);
  return { id: eventId, name: eventName, type: 'RACE', countryCode, venue, startTime, raceNumber: 'R1' };
}

function marketNode({ id, startsAt, marketType, record }: MarketFacts): NavigationNode {
  return {
    id,
    name: marketType.name,
    type: 'MARKET',
    exchangeId: '1',
    marketType: marketType.id,
    marketStartTime: momentOf(startsAt),
    numberOfWinners: record.winners.max,
  };
}
