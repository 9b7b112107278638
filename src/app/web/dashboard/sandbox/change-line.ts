/** What a change of a sandbox says in its record: what users and markets do, and not each order of the crowd. */

import type { RecordLine } from '../../../../pages/panels.ts';
import type { Change } from '../../../../sandbox/world/change.ts';
import type { World } from '../../../../sandbox/world/world.ts';
import { plural } from '../../../../words/numbers.ts';

type Line = Pick<RecordLine, 'level' | 'about' | 'text'>;
type Commanded = Extract<Change, { readonly kind: 'command' }>['command'];

/** Whether it is worth a line: asked of every change, so it makes nothing. */
export function isTold({ registry }: World, change: Change | undefined): change is Change {
  if (change === undefined) return false;
  if (change.kind !== 'command') return change.kind === 'openSession' || change.kind === 'createApp';
  const { command } = change;
  if (command.kind === 'forget') return false;
  return !('app' in command) || registry.apps[command.app]?.isHouse === false;
}

export function changeLine(world: World, change: Change): Line {
  switch (change.kind) {
    case 'openSession':
      return { level: 'info', about: 'session', text: `opened with key ${change.key}` };
    case 'createApp':
      return { level: 'info', about: 'app', text: `${change.id} (${change.name})` };
    case 'command':
      return commandLine(world, change.command);
    default:
      return { level: 'debug', about: change.kind, text: '' };
  }
}

function commandLine(world: World, command: Commanded): Line {
  const app = 'app' in command ? (world.registry.apps[command.app]?.id ?? String(command.app)) : '';
  switch (command.kind) {
    case 'place':
      return { level: 'info', about: 'place', text: `app ${app}: ${plural(command.requests.length, 'order')}` };
    case 'cancel':
      return {
        level: 'info',
        about: 'cancel',
        text: `app ${app}: ${command.orders === undefined ? 'all orders' : plural(command.orders.length, 'order')}`,
      };
    case 'heartbeat':
      return { level: 'debug', about: 'heartbeat', text: `app ${app}: ${command.timeoutMs / 1_000} s` };
    case 'deleteHeartbeat':
      return { level: 'info', about: 'heartbeat', text: `app ${app}: taken away` };
    default:
      return { level: isMarketMove(command) ? 'info' : 'debug', about: command.kind, text: placeOf(world, command) };
  }
}

function isMarketMove({ kind }: Commanded): boolean {
  return ['open', 'suspend', 'setInPlay', 'lock', 'settle', 'void', 'resettle', 'close'].includes(kind);
}

function placeOf({ catalogue }: World, command: Commanded): string {
  if (!('market' in command)) return '';
  const market = catalogue.markets.get(command.market);
  const value = command.kind === 'suspend' && !command.suspended ? ' (lifted)' : '';
  return market === undefined ? '' : `market ${market.id}, ${market.name}${value}`;
}
