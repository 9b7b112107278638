/** What stands before the exchange and answers in its place: a page of its own, or what it left of the exchange's answer. */

import type { Random } from '../../../src/core/number/random.ts';
import type { WireReply } from '../../../src/exchange-live/connection/transport.ts';

/** 401, 403 and 404 mean something where the exchange says them; a page says nothing of what was done. */
const STATUSES = [200, 400, 401, 403, 404, 404, 405, 408, 409, 410, 413, 422, 429, 500, 502, 503, 504] as const;
const PAGES = [
  '<html><head><title>404 Not Found</title></head><body>nginx</body></html>',
  '{"error":"Not Found"}',
  '{"message":"no healthy upstream","code":404}',
  '{"type":"about:blank","title":"Not Found","status":404,"detail":"no such route"}',
  '{"orders":null}',
  '{}',
  '[]',
  'null',
  '',
] as const;

/** `whole` is what the exchange said, if it was asked: a page may be that, cut short. */
export function gatewayPage(random: Random, whole: string | undefined): WireReply & { readonly kind: 'reply' } {
  const status = STATUSES[random.below(STATUSES.length)] ?? 404;
  const isCut = whole !== undefined && whole.length > 2 && random.chance(0.25);
  const body = isCut ? whole.slice(0, 1 + random.below(whole.length - 2)) : (PAGES[random.below(PAGES.length)] ?? '');
  return { kind: 'reply', status, body };
}
