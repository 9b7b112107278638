/** The forms of a call: alone, in a batch, with the method in the path, over REST, and those that are none. */

import { expect, test } from 'vitest';
import { FaceStage, limit } from '../support/sandbox-betfair/face-stage.ts';
import { openMatch } from '../support/sandbox-betfair/open-match.ts';

const RPC = '/exchange/betting/json-rpc/v1';
const REST = '/exchange/betting/rest/v1.0';

function caller() {
  const stage = new FaceStage();
  const authentication = stage.login().token;
  return (path: string, body: unknown) =>
    stage.ask({ path, authentication, body: typeof body === 'string' ? body : JSON.stringify(body) });
}

const call = (id: unknown, params: unknown = { filter: {} }, name = 'listEventTypes') => ({
  ...{ jsonrpc: '2.0', method: `SportsAPING/v1.0/${name}`, params, id },
});

test('the same answer in every form', () => {
  const ask = caller();
  const alone = ask(RPC, call(7)) as { readonly result: unknown };
  expect(alone).toMatchObject({
    jsonrpc: '2.0',
    id: 7,
    result: [{ eventType: { id: '1', name: 'Soccer' } }, {}, {}, {}],
  });
  const { result } = alone;
  expect(ask(`${RPC}/`, call('text'))).toEqual({ jsonrpc: '2.0', id: 'text', result });
  expect(ask(RPC, { ...call(1), id: undefined })).toEqual({ jsonrpc: '2.0', result });
  expect(ask(`${RPC}/SportsAPING/v1.0/listEventTypes`, { params: { filter: {} }, id: 1 })).toEqual({
    jsonrpc: '2.0',
    id: 1,
    result,
  });
  expect(ask(`${RPC}/SportsAPING/v1.0/listEventTypes`, call(1))).toEqual({ jsonrpc: '2.0', id: 1, result });
  expect(ask(`${REST}/listEventTypes/`, { filter: {} })).toEqual(result);
  expect(ask(`${REST}/listEventTypes`, { filter: { textQuery: null } })).toEqual(result);
});

test('a batch is answered in its order, each call by itself', () => {
  const ask = caller();
  const answers = ask(RPC, [call(2), call(1, {}), call(3, {}, 'listNothing'), call(4, { filter: {} }, 'listVenues')]);
  expect(answers).toMatchObject([
    { id: 2, result: expect.any(Array) },
    { id: 1, error: { code: -32602, message: 'DSC-0018' } },
    { id: 3, error: { code: -32601, message: 'DSC-0021' } },
    { id: 4, result: [{ venue: 'Heathdown', marketCount: 6 }] },
  ]);
});

test('what is no call', () => {
  const ask = caller();
  const notJson = { jsonrpc: '2.0', error: { code: -32700, message: 'DSC-0008' }, id: null };
  expect(ask(RPC, 'nonsense')).toEqual(notJson);
  expect(ask(RPC, [])).toEqual(notJson);
  expect(ask(RPC, 17)).toMatchObject({ error: { message: 'DSC-0021' } });
  expect(ask(RPC, call(1, { filter: 'all' }))).toMatchObject({ error: { code: -32602, message: 'DSC-0009' } });
  expect(ask('/exchange/account/json-rpc/v1', call(1))).toMatchObject({ error: { message: 'DSC-0021' } });
  const clientFault = { faultcode: 'Client', faultstring: 'DSC-0018', detail: {} };
  expect(ask(`${REST}/listEventTypes/`, {})).toEqual(clientFault);
  expect(ask(`${REST}/listNothing/`, {})).toMatchObject({ faultstring: 'DSC-0021' });
});

test('exceptions have the number that each API gives them', () => {
  const stage = new FaceStage();
  const messages = [
    ['/exchange/betting/json-rpc/v1', 'SportsAPING/v1.0/listEvents', 'ANGX-0005'],
    ['/exchange/account/json-rpc/v1', 'AccountAPING/v1.0/getAccountFunds', 'AANGX-0010'],
    ['/exchange/heartbeat/json-rpc/v1', 'HeartbeatAPING/v1.0/heartbeat', 'HBT-0004'],
  ] as const;
  for (const [path, method, message] of messages) {
    const body = JSON.stringify({ jsonrpc: '2.0', method, params: {}, id: 1 });
    expect(stage.ask({ path, body })).toMatchObject({ error: { code: -32099, message } });
  }
  const { answer } = stage.send({ path: `${REST}/listEvents/`, application: undefined });
  expect(answer?.status).toBe(400);
  expect(JSON.parse(answer?.text ?? '')).toEqual({
    detail: {
      APINGException: { requestUUID: expect.any(String), errorCode: 'NO_APP_KEY', errorDetails: expect.any(String) },
      exceptionname: 'APINGException',
    },
    faultcode: 'Client',
    faultstring: 'ANGX-0004',
  });
});

test('a batch waits for the one call in it that waits', () => {
  const { stage, client, marketId, market, selectionId } = openMatch();
  stage.command({ kind: 'setInPlay', market, inPlay: true });
  const params = { marketId, instructions: [limit({ selectionId, price: 1000, size: 2 })] };
  const body = JSON.stringify([call(1), call(2, params, 'placeOrders')]);
  const sent = stage.send({ path: RPC, body, authentication: client.token });
  stage.builder.pass(4_999);
  expect(sent.answer).toBeUndefined();
  stage.builder.pass(1);
  expect(JSON.parse(sent.answer?.text ?? '')).toMatchObject([{ id: 1 }, { id: 2, result: { status: 'SUCCESS' } }]);
});
