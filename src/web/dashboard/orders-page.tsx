/** Own orders over all markets: those that are live, or all that can still change. */

import type { OrdersPanel, Welcome } from '../../pages/panels.ts';
import { Filter } from './shown/filter.tsx';
import { OrderTable } from './shown/order-table.tsx';
import type { Route } from './shown/route.ts';
import { Card, Pages } from './shown/shown.tsx';

interface OrdersParts {
  readonly panel: OrdersPanel;
  readonly route: Route;
  readonly welcome: Welcome;
}

export function OrdersPage({ panel: { part }, route, welcome }: OrdersParts) {
  // A sandbox keeps those that were cancelled too.
  const all = welcome.kind === 'sandbox' ? 'All' : 'Live or matched';
  return (
    <Card title="Orders" more={<Pages part={part} route={route} noun="order" />}>
      <Filter
        route={route}
        choices={[
          ['live', 'Live'],
          ['all', all],
        ]}
      />
      <OrderTable rows={part.rows} isPlaced={true} />
    </Card>
  );
}
