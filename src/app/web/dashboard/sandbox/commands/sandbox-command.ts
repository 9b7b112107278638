/** One command of a sandbox's dashboard: what is offered, the request to the control surface, and the state that proves it. */

import type { CommandField, CommandOffer, CommandOption } from '../../../../../pages/panels.ts';
import type { ControlAnswer, ControlAsk } from '../../../../../sandbox/control/local-control.ts';
import type { MarketRecord } from '../../../../../sandbox/world/records.ts';
import { marketLabel } from '../../../../../words/market-label.ts';
import type { CommandValues, Progress } from '../../server/source.ts';
import type { NamedWorld, ShownSandbox } from './shown-sandbox.ts';

/** The sandbox and the market that was chosen, to which commands are given. */
export interface Place {
  readonly sandbox: ShownSandbox;
  readonly market: MarketRecord | undefined;
}

export interface SandboxCommand {
  readonly name: string;
  /** Undefined where there is nothing that it could be for. */
  offer(place: Place): CommandOffer | undefined;
  /** What must be done first, where anything must. */
  before?(place: Place): ControlAsk | undefined;
  request(place: Place, values: CommandValues): ControlAsk;
  /** Asked until it is done. */
  progress(place: Place, values: CommandValues, answer: ControlAnswer): Progress;
}

type Told = Pick<CommandOffer, 'name' | 'title' | 'effect' | 'tone' | 'group'> & {
  readonly word?: string;
  readonly off?: string | undefined;
  readonly fields?: readonly CommandField[];
};

/** An offer for the whole sandbox. */
export function offerOf(told: Told): CommandOffer {
  return { word: '', off: undefined, fields: [], ...told, hasReason: false, of: '', about: '' };
}

/** An offer for one market. */
export function marketOffer(place: Place, market: MarketRecord, told: Told): CommandOffer {
  return {
    ...offerOf(told),
    of: place.sandbox.control.names.marketId(market),
    about: nameOfMarket(place.sandbox, market),
  };
}

export function nameOfMarket({ context, words }: ShownSandbox, market: MarketRecord): string {
  const { event, name } = words.named(market, context.world);
  return marketLabel({ eventName: context.world.catalogue.events.get(event)?.name ?? '', name });
}

/** One of a list. */
export function choice(name: string, label: string, options: readonly CommandOption[]): CommandField {
  return { kind: 'choice', name, label, options, least: 1, most: 1 };
}

/** The id of an app, by the exchange machine's number. */
export function appIdOf({ context: { world }, control }: NamedWorld, app: number): string {
  return control.names.appId(world.registry.app(app), world);
}

/** The apps of users, by id. */
export function userApps({ context, control: { names }, words }: ShownSandbox): readonly CommandOption[] {
  const { world } = context;
  const apps = world.registry.apps.filter(words.isUser);
  return apps.map((app) => {
    const id = names.appId(app, world);
    return { value: id, label: labelOf(id, app.name) };
  });
}

function labelOf(id: string, name: string): string {
  return id === name ? id : `${name} (${id})`;
}
