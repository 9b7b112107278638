/** The commands that a sandbox takes from its dashboard: requests to its control surface, and the state that proves each. */

import type { Ask, CommandSubjects } from '../../../../../pages/panels.ts';
import type { MarketRecord } from '../../../../../sandbox/world/records.ts';
import type { CarriedOut, CommandAsked, Commands } from '../../server/source.ts';
import { stateWords } from '../../shown/shown-rows.ts';
import { nameOfMarket, type Place, type SandboxCommand } from './sandbox-command.ts';
import type { ShownSandbox } from './shown-sandbox.ts';

/** More are found by name. */
const SUBJECTS_MAX = 100;

/** The dashboard's commands of a sandbox: these, as far as it has something that they are for. */
export function sandboxCommands(sandbox: ShownSandbox, all: readonly SandboxCommand[]): Commands {
  return {
    offers: (of) => {
      const place = placeWithMarket(sandbox, of);
      return all.flatMap((command) => command.offer(place) ?? []);
    },
    subjects: (ask) => subjectsOf(sandbox, ask),
    carryOut: async (asked) => carriedOut(sandbox, all, asked),
  };
}

function carriedOut(
  sandbox: ShownSandbox,
  all: readonly SandboxCommand[],
  { name, of, values }: CommandAsked,
): CarriedOut {
  const place = placeWithMarket(sandbox, of);
  const command = all.find((each) => each.name === name);
  if (command === undefined) throw new Error(`a command that is offered is known: ${name}`);
  const before = command.before?.(place);
  const prepared = before && sandbox.control.ask(before);
  if (prepared?.kind === 'refused') return { refused: prepared.why };
  const said = sandbox.control.ask(command.request(place, values));
  if (said.kind === 'refused') return { refused: said.why };
  const { answer } = said;
  return { progress: () => command.progress(place, values, answer) };
}

function placeWithMarket(sandbox: ShownSandbox, id: string): Place {
  return { sandbox, market: sandbox.control.names.market(id, sandbox.context.world) };
}

/** Markets that go on before those that are over, the next to begin first. */
function subjectsOf(sandbox: ShownSandbox, { id, find }: Pick<Ask, 'id' | 'find'>): CommandSubjects {
  const { catalogue, exchange } = sandbox.context.world;
  const { marketId } = sandbox.control.names;
  const labelled = [...catalogue.markets.values()].flatMap((record) => {
    const market = exchange.market(record.market);
    const label = nameOfMarket(sandbox, record);
    if (market === undefined || !`${label} ${marketId(record)}`.toLowerCase().includes(find)) return [];
    const isOver = ['Settled', 'Voided', 'Closed'].includes(market.status);
    return [{ record, isOver, label: `${label} (${stateWords(market).state})` }];
  });
  const startOf = ({ event }: MarketRecord) => catalogue.events.get(event)?.expectedStartTime ?? 0;
  labelled.sort((a, b) => Number(a.isOver) - Number(b.isOver) || startOf(a.record) - startOf(b.record));
  const shown = labelled.slice(0, SUBJECTS_MAX);
  const chosen = labelled.find(({ record }) => marketId(record) === id);
  if (chosen !== undefined && !shown.includes(chosen)) shown.unshift(chosen);
  const options = shown.map(({ record, label }) => ({ value: marketId(record), label }));
  return {
    noun: 'market',
    chosen: chosen === undefined ? '' : marketId(chosen.record),
    options,
    total: labelled.length,
  };
}
