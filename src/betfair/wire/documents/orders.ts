/** The instructions of the four operations that change orders, and the reports that answer them. */

import { Type } from '@sinclair/typebox';
import { document, id, integer, maybe, moment, number, request, text } from '../../../codec/notation.ts';
import {
  BetTargetTypeWord,
  InstructionErrorWord,
  InstructionStatusWord,
  OrderStatusWord,
  OrderTypeWord,
  PersistenceTypeWord,
  ReportErrorWord,
  ReportStatusWord,
  SideWord,
  TimeInForceWord,
} from '../basics/codes.ts';
import { rows } from '../basics/shapes.ts';

const LimitOrder = request('LimitOrder', {
  size: maybe(number),
  price: number,
  persistenceType: maybe(PersistenceTypeWord),
  timeInForce: maybe(TimeInForceWord),
  minFillSize: maybe(number),
  betTargetType: maybe(BetTargetTypeWord),
  betTargetSize: maybe(number),
});

export const PlaceInstruction = request('PlaceInstruction', {
  orderType: OrderTypeWord,
  selectionId: integer,
  handicap: maybe(number),
  side: SideWord,
  limitOrder: maybe(LimitOrder),
  limitOnCloseOrder: maybe(request('LimitOnCloseOrder', { liability: number, price: number })),
  marketOnCloseOrder: maybe(request('MarketOnCloseOrder', { liability: number })),
  customerOrderRef: maybe(text),
});

const CancelInstruction = request('CancelInstruction', { betId: id, sizeReduction: maybe(number) });
const ReplaceInstruction = request('ReplaceInstruction', { betId: id, newPrice: number });
const UpdateInstruction = request('UpdateInstruction', { betId: id, newPersistenceType: PersistenceTypeWord });

const PlaceInstructionReport = document(
  'PlaceInstructionReport',
  {
    status: InstructionStatusWord,
    errorCode: maybe(InstructionErrorWord),
    orderStatus: maybe(OrderStatusWord),
    instruction: PlaceInstruction,
    betId: maybe(id),
    placedDate: maybe(moment),
    averagePriceMatched: maybe(number),
    sizeMatched: maybe(number),
  },
  { needs: ['status'] },
);

const CancelInstructionReport = document(
  'CancelInstructionReport',
  {
    status: InstructionStatusWord,
    errorCode: maybe(InstructionErrorWord),
    instruction: maybe(CancelInstruction),
    sizeCancelled: maybe(number),
    cancelledDate: maybe(moment),
  },
  { needs: ['status'] },
);

const ReplaceInstructionReport = document('ReplaceInstructionReport', {
  status: InstructionStatusWord,
  errorCode: maybe(InstructionErrorWord),
  cancelInstructionReport: maybe(CancelInstructionReport),
  placeInstructionReport: maybe(PlaceInstructionReport),
});

const UpdateInstructionReport = document('UpdateInstructionReport', {
  status: InstructionStatusWord,
  errorCode: maybe(InstructionErrorWord),
  instruction: UpdateInstruction,
});

const report = {
  customerRef: maybe(text),
  status: ReportStatusWord,
  errorCode: maybe(ReportErrorWord),
  marketId: maybe(id),
};

export const PlaceExecutionReport = document(
  'PlaceExecutionReport',
  {
    ...report,
    instructionReports: rows(PlaceInstructionReport),
  },
  { needs: ['status'] },
);
export const CancelExecutionReport = document(
  'CancelExecutionReport',
  {
    ...report,
    instructionReports: rows(CancelInstructionReport),
  },
  { needs: ['status'] },
);
export const ReplaceExecutionReport = document('ReplaceExecutionReport', {
  ...report,
  instructionReports: rows(ReplaceInstructionReport),
});
export const UpdateExecutionReport = document('UpdateExecutionReport', {
  ...report,
  instructionReports: rows(UpdateInstructionReport),
});

/** An order list is never empty by mistake: without instructions, cancelOrders cancels a market or everything. */
export const cancelInstructions = rows(CancelInstruction);
export const placeInstructions = Type.Array(PlaceInstruction);
export const replaceInstructions = Type.Array(ReplaceInstruction);
export const updateInstructions = Type.Array(UpdateInstruction);
