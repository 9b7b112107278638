/** A piece of a run as plain data for another thread: orders and fills as columns whose memory is handed over, with no object for a row. */

import type { Collected, KeptEnd, Piece, PieceEnd } from '../result/kept-piece.ts';
import { FillTable } from '../simulation/fill-table.ts';
import { OrderTable } from '../simulation/order-table.ts';

export interface PackedPiece extends Omit<Piece, 'ends'> {
  readonly ends: readonly PackedEnd[];
}

interface PackedEnd {
  readonly bound: PieceEnd[0];
  readonly end: Omit<KeptEnd, 'collector'>;
  readonly collected: Omit<Collected, 'orderRows' | 'fillRows' | 'packedRows' | 'heldRows'>;
  readonly rows: ReturnType<Collected['packedRows']>;
  readonly transcriptSha256: string;
}

export function packedPiece({ ends, ...piece }: Piece): PackedPiece {
  return {
    ...piece,
    ends: ends.map(([bound, { collector, ...end }, transcriptSha256]) => {
      const { orderRows: _orders, fillRows: _fills, packedRows, heldRows: _held, ...collected } = collector;
      return { bound, end, collected, rows: packedRows(), transcriptSha256 };
    }),
  };
}

/** The memory of its columns. */
export function buffersOf({ ends }: PackedPiece): readonly ArrayBuffer[] {
  return ends.flatMap(({ rows: { orders, fills }, collected: { plots } }) => {
    const plotted = plots.lines.flatMap(({ at, value }) => [at, value]);
    return [...Object.values(orders.columns), ...Object.values(fills.columns), ...plotted].map(({ buffer }) => buffer);
  });
}

export function unpackedPiece({ ends, ...piece }: PackedPiece): Piece {
  return {
    ...piece,
    ends: ends.map(({ bound, end, collected, rows, transcriptSha256 }) => {
      const orders = OrderTable.of(rows.orders);
      const fills = FillTable.of(rows.fills, orders);
      const collector: Collected = {
        ...collected,
        orderRows: (run = 1) => orders.rows(run),
        fillRows: (run = 1) => fills.rows(run),
        packedRows: () => rows,
        heldRows: () => rows,
      };
      return [bound, { ...end, collector }, transcriptSha256];
    }),
  };
}
