/** Own orders over all markets: those that are live, or all that can still change. */

import type { OrdersPanel } from '../../report/dashboard/panels.ts';
import { Filter } from './shown/filter.tsx';
import { OrderTable } from './shown/order-table.tsx';
import type { Route } from './shown/route.ts';
import { Card, Pages } from './shown/shown.tsx';

const CHOICES = [
  ['live', 'Live'],
  ['all', 'Live or matched'],
] as const;

export function OrdersPage({ panel: { part }, route }: { readonly panel: OrdersPanel; readonly route: Route }) {
  return (
    <Card title="Orders" more={<Pages part={part} route={route} noun="order" />}>
      <Filter route={route} choices={CHOICES} />
      <OrderTable rows={part.rows} isPlaced={true} />
    </Card>
  );
}
