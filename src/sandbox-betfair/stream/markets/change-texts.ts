/** The JSON of market changes. Subscriptions that see the same share it within a turn. */

import { type MarketView, marketDelta, marketImage } from './market-delta.ts';
import type { MarketPicture } from './market-picture.ts';

interface Told {
  readonly before: MarketPicture | undefined;
  readonly now: MarketPicture;
  readonly text: string | undefined;
}

export class ChangeTexts {
  readonly #toldByKey = new Map<string, Told>();

  /** Forgets all texts: those of an earlier turn are of no use any more. */
  clear(): void {
    this.#toldByKey.clear();
  }

  /** The change from the picture before, or the image where there is none; undefined where the view shows no difference. */
  text(before: MarketPicture | undefined, now: MarketPicture, view: MarketView): string | undefined {
    if (before === now) return undefined;
    const key = `${now.market} ${view.ladderLevels} ${view.newFields} ${[...view.fields].join(' ')}`;
    const told = this.#toldByKey.get(key);
    if (told?.before === before && told?.now === now) return told.text;
    const change = before === undefined ? marketImage(now, view) : marketDelta(before, now, view);
    const text = change === undefined ? undefined : JSON.stringify(change);
    this.#toldByKey.set(key, { before, now, text });
    return text;
  }
}
