/** The control surface of a Betfair world: its tools and endpoints, whatever carries its requests. */

import { type Instant, instant } from '../../core/number/units.ts';
import type { LiveContext } from '../../sandbox/context/live-context.ts';
import type { AnyControlEndpoint, ControlTools } from '../../sandbox/control/control-endpoint.ts';
import { controlEndpoints } from '../../sandbox/control/control-plane.ts';
import type { StreamConnection } from '../../sandbox/stream/stream-server.ts';
import type { Account } from '../state/accounts.ts';
import type { FaceState } from '../state/face-state.ts';
import type { StreamServer } from '../stream/stream-server.ts';
import { betfairControl } from './betfair-control.ts';

export interface ControlSurface {
  readonly tools: ControlTools;
  readonly endpoints: readonly AnyControlEndpoint[];
}

/** The stream may be opened after it. */
export function controlSurface(
  state: FaceState,
  context: LiveContext,
  stream: () => Pick<StreamServer, 'connections' | 'cut'>,
): ControlSurface {
  const face = betfairControl(state, stream);
  const tools: ControlTools = {
    context,
    faults: state.faults,
    names: face.names,
    stream: {
      get connections() {
        return [...stream().connections].map(({ id, since, account }) => connectionOf(id, instant(since), account));
      },
      cut: (filter) => stream().cut(({ id, since, account }) => filter(connectionOf(id, instant(since), account))),
    },
  };
  return { tools, endpoints: controlEndpoints(face) };
}

function connectionOf(id: string, since: Instant, account: Account | undefined): StreamConnection {
  return { id, since, app: account?.app, wallet: account?.wallet };
}
