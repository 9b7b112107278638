import { spawn } from 'node:child_process';
import { Pool } from 'undici';
import { RestClient } from '/work/main/src/rest/rest-client.ts';
import { Random } from '/work/main/src/core/random.ts';
import { wallClock } from '/work/main/src/time/wall-clock.ts';
import { schemaSample } from '/work/main/test/support/schema-sample.ts';
import { ENDPOINTS } from '/work/main/src/wire/endpoints.ts';
const sample: any = schemaSample(ENDPOINTS.createOrders.answer.schema as any, true);
sample.orders = Array.from({ length: 50 }, () => sample.orders[0]);
const server = spawn('node', ['/tmp/bench/server.mjs'], { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, BATCH: JSON.stringify(sample) } });
const port = await new Promise<string>((r) => server.stdout.once('data', (d) => r(String(d).trim())));
const url = `http://127.0.0.1:${port}`;
const pool = new Pool(url, { connections: 32 });
const client = new RestClient({ baseUrl: url, credentials: { appId: 'a', apiKey: 'keykey' }, clock: wallClock, random: Random.fromSeed(1), connections: 32, budget: { perSecond: 1e6, burst: 1e6, waitingMax: 1e5 } });
const reqs = { requests: Array.from({ length: 50 }, (_, i) => ({ walletId: 'w', marketId: '1', side: 'For' as const, outcomeId: '1', price: 2, stake: 5, keepWhenInPlay: false, matchBehavior: 'RetainUnmatched' as const, reference: `r-${i}` })) };
const bare = (path: string, method: any = 'GET', body?: string) => async () => {
  const r = await pool.request({ path, method, headers: { accept: 'application/json', authorization: `Bearer ${'a'.repeat(40)}`, ...(body ? { 'content-type': 'application/json' } : {}) }, ...(body ? { body } : {}) });
  return r.body.json();
};
const ours = (op: any, input: any) => () => new Promise((resolve, reject) => client.call(op, input).subscribe((o: any) => (o.kind === 'answered' ? resolve(o) : reject(new Error(JSON.stringify(o))))));
async function measure(task: () => Promise<unknown>, ms: number, lanes: number) {
  let count = 0; const end = Date.now() + ms; const cpu0 = process.cpuUsage(); const t0 = performance.now();
  await Promise.all(Array.from({ length: lanes }, async () => { while (Date.now() < end) { await task(); count += 1; } }));
  const cpu = process.cpuUsage(cpu0);
  return { rate: count / ((performance.now() - t0) / 1000), cpuUs: (cpu.user + cpu.system) / count };
}
const body = JSON.stringify(reqs);
const cases: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
  ['categories', bare('/categories'), ours('listCategories', {})],
  ['3 books', bare('/market-prices?marketIds=1%2C2%2C3'), ours('listPrices', { query: { marketIds: ['1', '2', '3'] } })],
  ['50 books', bare('/markets/1/prices-v2'), ours('getMarketPriceBook', { path: { id: '1' } })],
  ['batch 50', bare('/orders/batch', 'POST', body), ours('createOrders', { body: reqs })],
];
for (const lanes of [1, 16]) for (const [name, b, o] of cases) {
  await measure(b, 300, lanes); await measure(o, 300, lanes);
  const rs: any[] = [];
  for (let i = 0; i < 3; i++) rs.push([await measure(b, 700, lanes), await measure(o, 700, lanes)]);
  rs.sort((x, y) => x[1].rate / x[0].rate - y[1].rate / y[0].rate);
  const [x, y] = rs[1];
  console.log(`${name} x${lanes}: bare ${x.rate.toFixed(0)}/s ${x.cpuUs.toFixed(0)}us, ours ${y.rate.toFixed(0)}/s ${y.cpuUs.toFixed(0)}us, ratio ${(y.rate / x.rate).toFixed(2)}`);
}
await client.close(); await pool.destroy(); server.kill();
