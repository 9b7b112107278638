/** What reached a sandbox in a real process is played again: the exchange then holds the same, to the last penny. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { builtCommand, startProcess } from '../support/running-command.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const SAMPLE = fileURLToPath(new URL('../../backtest/sample.tape', import.meta.url));

/** Backs and lays what its stream shows, for some seconds. */
const BOT = `
import tls from 'node:tls';
const headers = { 'X-Application': 'a-real-key' };
const login = await fetch('https://identitysso.betfair.com/api/login', { method: 'POST', headers, body: new URLSearchParams({ username: 'nora', password: 'a-real-password' }) });
const { token } = await login.json();
const call = async (operation, params) => {
  const body = JSON.stringify({ jsonrpc: '2.0', method: 'SportsAPING/v1.0/' + operation, params, id: 1 });
  const all = { ...headers, 'X-Authentication': token, 'content-type': 'application/json' };
  return (await (await fetch('https://api.betfair.com/exchange/betting/json-rpc/v1', { method: 'POST', headers: all, body })).json()).result;
};
const socket = tls.connect({ host: 'stream-api.betfair.com', port: 443 });
const send = (message) => socket.write(JSON.stringify(message) + '\\r\\n');
send({ op: 'authentication', id: 1, appKey: 'a-real-key', session: token });
send({ op: 'orderSubscription', id: 2 });
send({ op: 'marketSubscription', id: 3, marketFilter: {}, marketDataFilter: { fields: ['EX_BEST_OFFERS', 'EX_MARKET_DEF'] } });
let rest = '', bets = 0;
socket.on('data', (chunk) => {
  const lines = (rest + chunk).split('\\r\\n');
  rest = lines.pop();
  for (const line of lines)
    for (const { id, rc = [] } of JSON.parse(line).mc ?? [])
      for (const { id: selectionId, batb: [[, price, size] = []] = [] } of rc) {
        if (!size || bets >= 200) continue;
        bets += 1;
        const limitOrder = { size: 2 + (bets % 7), price, persistenceType: 'LAPSE' };
        call('placeOrders', { marketId: id, instructions: [{ orderType: 'LIMIT', selectionId, side: bets % 3 ? 'BACK' : 'LAY', limitOrder }] });
      }
});
setTimeout(() => process.exit(0), 12_000);
`;

test('a replay of the arrivals of a real bot gives the same verdict and the same bets', async () => {
  const directory = temporaryDirectory('arrivals');
  writeFileSync(join(directory, 'bot.mjs'), BOT);
  const run = async (...words: readonly string[]) => {
    const { code, out, note } = await startProcess(builtCommand(['sandbox', '--betfair', '--json', ...words]), {
      cwd: directory,
    }).ended;
    expect(code, note).toBe(0);
    return out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  };
  const tape = ['--tape', SAMPLE, '--speed', '600', '--crowd'];
  const bot = ['--exec', '--', process.execPath, 'bot.mjs'];
  const live = await run('--memory', '--port', '0', ...tape, '--arrivals', 'a.log', ...bot);
  const said = await run('--replay', 'a.log');
  const [account] = live.at(-1).accounts;
  expect(said.at(-1).accounts).toEqual([account]);
  expect([account.bets.betCount > 20, account.bets.sizeMatched > 0]).toEqual([true, true]);
  const text = readFileSync(join(directory, 'a.log'), 'utf8');
  expect(['a-real-key', 'a-real-password'].filter((secret) => text.includes(secret))).toEqual([]);
  // The exchange told the bot the same again, in the stream too.
  expect(said.some(({ to, text: told }) => to?.connection === 'client-1' && told.includes('"op":"ocm"'))).toBe(true);
});
