import http from 'node:http';
import WebSocket from 'ws';
import { openSandbox } from '../../../src/sandbox/sandbox.ts';
import { wallClock } from '../../../src/time/wall-clock.ts';
const N = Number(process.env.N ?? 20000);
const file = process.env.FILE;
const sandbox = await openSandbox({ clock: wallClock, version: '0', onBug: (e) => console.error('BUG', e), ...(file?{file}:{}) });
const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
const base = new URL(sandbox.url);
function req(method: string, path: string, token?: string, body?: unknown, useAgent = true): Promise<{ status: number; json: any }> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const r = http.request({ host: base.hostname, port: base.port, method, path, agent: useAgent ? agent : false, headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...(text ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) } : {}) } }, (res) => {
      let s = ''; res.setEncoding('utf8'); res.on('data', (c) => { if (s.length < 5000000) s += c; }); res.on('end', () => { let j; try { j = JSON.parse(s); } catch {} resolve({ status: res.statusCode ?? 0, json: j }); });
    });
    r.on('error', reject); r.end(text);
  });
}
const login = async () => (await req('POST', '/sessions', undefined, { appId: sandbox.appId, apiKey: sandbox.apiKey })).json.sessions[0];
const token = (await login()).accessToken;
const ctl = (m: string, p: string, b?: unknown) => req(m, `/control${p}`, sandbox.controlKey, b);
const at = new Date(Date.now() + 86400e3).toISOString();
await ctl('POST', '/categories', { id: 'A', name: 'A' }); await ctl('POST', '/subcategories', { id: 'B', name: 'B', categoryId: 'A' }); await ctl('POST', '/event-groups', { id: 'C', name: 'C', subcategoryId: 'B' });
await ctl('POST', '/market-types', { id: 'T', outcomesRange: { min: 2, max: 20 }, winnersRange: { min: 1, max: 3 } });
const ev = (await ctl('POST', '/events', { eventGroupId: 'C', name: 'x', code: 'x', expectedStartTime: at })).json.id;
const newMarket = async () => (await ctl('POST', '/markets', { eventId: ev, name: 'M', marketTypeId: 'T', currencyId: 'USDC', lockAt: at, outcomes: [{ title: 'a' }, { title: 'b' }], crossMatchingEnabled: false })).json;
const mk = await newMarket();
const mk2 = await newMarket();
const w = (await ctl('POST', `/apps/${sandbox.appId}/wallets`, { balances: [{ currencyId: 'USDC', balance: 100000000 }] })).json.id;
const w2 = (await ctl('POST', `/apps/${sandbox.appId}/wallets`, { balances: [{ currencyId: 'USDC', balance: 100000000 }] })).json.id;
const order = (x: object = {}) => ({ walletId: w, marketId: mk.id, outcomeId: mk.outcomes[0].id, side: 'For', price: 1000, stake: 1, keepWhenInPlay: false, ...x });
const mem = () => { for (let i = 0; i < 3; i++) (globalThis as any).gc(); const m = process.memoryUsage(); return m.heapUsed + m.external; };
async function times(n: number, f: (i: number) => Promise<unknown>) { let next = 0; await Promise.all(Array.from({ length: 8 }, async () => { while (next < n) { const i = next++; await f(i); } })); }
let u = 0;
const only = process.env.ONLY?.split(',');
async function measure(name: string, f: (i: number) => Promise<any>, n = N, expect?: number) {
  if (only && !only.includes(name)) return;
  let status: Record<string, number> = {};
  const g = async (i: number) => { const r = await f(i); const s = r?.status ?? 'ok'; status[s] = (status[s] ?? 0) + 1; };
  await times(Math.min(2000, n), g); await new Promise(r => setTimeout(r, 300));
  status = {};
  const before = mem(); const t = Date.now();
  await times(n, g); const ms = Date.now() - t; await new Promise(r => setTimeout(r, 300));
  const after = mem();
  console.log(name.padEnd(28), JSON.stringify(status).padEnd(24), `${((after - before) / n).toFixed(0)} B/request`, `${(ms / n * 1000).toFixed(0)} us`, `total heap ${(after/1e6).toFixed(0)} MB`);
}
await measure('prices', () => req('GET', `/market-prices?marketIds=${mk.id}`, token));
await measure('prices-missing', () => req('GET', `/market-prices?marketIds=9999${u++}`, token));
await measure('market', () => req('GET', `/markets/${mk.id}`, token));
await measure('unknown-url', () => req('GET', `/nothing/${u++}`, token));
await measure('bad-token', () => req('GET', `/wallets`, `bad${u++}`));
await measure('bad-body', () => req('POST', `/orders`, token, { a: u++ }));
await measure('refused-order-ref', () => req('POST', '/orders/batch', token, { requests: [order({ marketId: '99999999', reference: `refused-${u++}-abcdefghijklmnop` })] }));
await measure('refused-order-funds', () => req('POST', '/orders/batch', token, { requests: [order({ stake: 99000000000, reference: `refused-${u++}-abcdefghijklmnop` })] }));
await measure('by-reference-miss', () => req('GET', `/orders/by-reference/none-${u++}`, token));
await measure('heartbeat', () => req('POST', '/heartbeats', token, { timeoutMs: 300000 }));
await req('DELETE', '/heartbeats', token);
await measure('new-connection', () => req('GET', '/market-prices/ladder', token, undefined, false), Math.min(N, 8000));
await measure('stream-connect', () => new Promise((resolve, reject) => { const s = new WebSocket(sandbox.streamUrl); s.on('open', () => s.send(JSON.stringify({ action: 'authenticate', accessToken: token }))); s.on('message', () => { s.send(JSON.stringify({action:'subscribe',subscriptionType:'OrderUpdate',subscriptionIds:['*']})); s.close(); }); s.on('close', () => resolve({ status: 'closed' })); s.on('error', reject); }), Math.min(N, 6000));
await measure('session', () => login().then(() => ({ status: 200 })));
let sess = await login();
await measure('refresh', async () => { const r = await req('POST', '/sessions/refresh', undefined, { refreshToken: (await login()).refreshToken }); return r; });
await measure('cancel-nothing', () => req('POST', '/orders/cancel-v2', token, { orderIds: ['99999999'] }));
await measure('faucet', () => req('GET', `/faucet?walletId=${w}&currencyId=EUR`, token), Math.min(N, 20000));
await measure('fault-struck', async () => req('GET', `/wallets`, token));
await measure('order-rest', () => req('POST', '/orders', token, order()));
await measure('order-rest-ref', () => req('POST', '/orders', token, order({ reference: `ref-${u++}-abcdefghijklmnopqrstuv` })));
await measure('order+cancel', async () => { const r = await req('POST', '/orders', token, order({ marketId: mk2.id, outcomeId: mk2.outcomes[0].id })); return req('POST', '/orders/cancel-v2', token, { orderIds: [r.json.orders[0].id] }); });
await measure('order-pair-matched', async () => { await req('POST', '/orders', token, order({ marketId: mk2.id, outcomeId: mk2.outcomes[1].id, price: 2, side: 'Against', walletId: w2 })); return req('POST', '/orders', token, order({ marketId: mk2.id, outcomeId: mk2.outcomes[1].id, price: 2 })); });
await measure('wallet', () => req('POST', '/wallets', token, {}));
await measure('key', () => req('POST', `/api-keys`, token, { appId: sandbox.appId }), Math.min(N, 4000));
await measure('control-health', () => ctl('GET', '/faults'));
await sandbox.close();
agent.destroy();
