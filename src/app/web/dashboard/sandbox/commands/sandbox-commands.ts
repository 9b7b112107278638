/** The commands that a sandbox takes from its dashboard: requests to its control surface, and the state that proves each. */

import type { Ask, CommandSubjects } from '../../../../../pages/panels.ts';
import type { Sandbox } from '../../../../../sandbox/sandbox.ts';
import type { MarketRecord } from '../../../../../sandbox/world/records.ts';
import type { CarriedOut, CommandAsked, Commands } from '../../server/source.ts';
import { stateWords } from '../../shown/shown-rows.ts';
import { APP_COMMANDS } from './app-commands.ts';
import { FAULT_COMMANDS } from './fault-commands.ts';
import { MARKET_COMMANDS } from './market-commands.ts';
import { nameOfMarket, type Place } from './sandbox-command.ts';

const ALL = [...MARKET_COMMANDS, ...FAULT_COMMANDS, ...APP_COMMANDS];
/** More are found by name. */
const SUBJECTS_MAX = 100;

export function sandboxCommands(sandbox: Sandbox): Commands {
  return {
    offers: (of) => {
      const place = placeWithMarket(sandbox, of);
      return ALL.flatMap((command) => command.offer(place) ?? []);
    },
    subjects: (ask) => subjectsOf(sandbox, ask),
    carryOut: async (asked) => carriedOut(sandbox, asked),
  };
}

function carriedOut(sandbox: Sandbox, { name, of, values }: CommandAsked): CarriedOut {
  const place = placeWithMarket(sandbox, of);
  const command = ALL.find((each) => each.name === name);
  if (command === undefined) throw new Error(`a command that is offered is known: ${name}`);
  const before = command.before?.(place);
  const prepared = before && sandbox.control.ask(before);
  if (prepared?.kind === 'refused') return { refused: prepared.why };
  const said = sandbox.control.ask(command.request(place, values));
  if (said.kind === 'refused') return { refused: said.why };
  const { answer } = said;
  return { progress: () => command.progress(place, values, answer) };
}

function placeWithMarket(sandbox: Sandbox, id: string): Place {
  return { sandbox, market: [...sandbox.context.world.catalogue.markets.values()].find((each) => each.id === id) };
}

/** Markets that go on before those that are over, the next to begin first. */
function subjectsOf(sandbox: Sandbox, { id, find }: Pick<Ask, 'id' | 'find'>): CommandSubjects {
  const { catalogue, exchange } = sandbox.context.world;
  const labelled = [...catalogue.markets.values()].flatMap((record) => {
    const market = exchange.market(record.market);
    const label = nameOfMarket(sandbox, record);
    if (market === undefined || !`${label} ${record.id}`.toLowerCase().includes(find)) return [];
    const isOver = ['Settled', 'Voided', 'Closed'].includes(market.status);
    return [{ record, isOver, label: `${label} (${stateWords(market).state})` }];
  });
  const startOf = ({ event }: MarketRecord) => catalogue.events.get(event)?.expectedStartTime ?? 0;
  labelled.sort((a, b) => Number(a.isOver) - Number(b.isOver) || startOf(a.record) - startOf(b.record));
  const shown = labelled.slice(0, SUBJECTS_MAX);
  const chosen = labelled.find(({ record }) => record.id === id);
  if (chosen !== undefined && !shown.includes(chosen)) shown.unshift(chosen);
  const options = shown.map(({ record, label }) => ({ value: record.id, label }));
  return { noun: 'market', chosen: chosen?.record.id ?? '', options, total: labelled.length };
}
