/** Notices as lines of a terminal. */

import { marketsText, type Notice } from '../../result/notices.ts';
import { printable } from '../../words/printable.ts';

export interface NoticeInk {
  dim(text: string): string;
  warn(text: string): string;
}

/** The lines of each notice: code and sentences, then its file, its markets, and what to do next. */
export function noticeLines(notices: readonly Notice[], colours: NoticeInk): readonly string[] {
  return notices.flatMap((notice) => {
    const { code, what, where, next } = notice;
    const markets = marketsText(notice);
    const details = [
      ...(where === undefined ? [] : [`where  ${where}`]),
      ...(markets === undefined ? [] : [`markets  ${markets}`]),
      `next  ${next}`,
    ];
    return [
      colours.warn(`notice ${code}: ${printable(what)}`),
      ...details.map((line) => colours.dim(`        ${printable(line)}`)),
    ];
  });
}
