/** The headings of a document, and the anchors that GitHub makes of them. */

import { textOf } from './blocks.ts';

export function headingsOf(document: string): readonly string[] {
  return [...textOf(document).matchAll(/^#+ (.+)$/gm)].map(([, text = '']) => text);
}

export function anchorsOf(document: string): ReadonlySet<string> {
  const plain = headingsOf(document).map((text) => text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase());
  return new Set(plain.map((text) => text.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-')));
}
