/** Asks the server of the view, and says in words why an answer did not come. */

import type { ViewMarket, ViewPart } from '../../../pages/view-data.ts';
import { refusalOf } from '../../parts/session.ts';
import type { Answer } from './answers.ts';

export function askMarket(id: string): Promise<Answer<ViewMarket>> {
  return ask(`/market?${new URLSearchParams({ id }).toString()}`);
}

export function askPart(id: string, part: number): Promise<Answer<ViewPart>> {
  return ask(`/part?${new URLSearchParams({ id, part: String(part) }).toString()}`);
}

async function ask<Value>(path: string): Promise<Answer<Value>> {
  try {
    const response = await fetch(path);
    if (response.ok) return { kind: 'value', value: await response.json() };
    return { kind: response.status === 401 ? 'closed' : 'refused', ...(await refusalOf(response)) };
  } catch {
    return { kind: 'silent', why: 'The server does not answer.', next: undefined };
  }
}
