/** The keys that play a market. */

import { useEffect } from 'preact/hooks';
import type { Player } from '../play/player.ts';

export const KEYS_HELP: readonly (readonly [keys: string, does: string])[] = [
  ['Space', 'plays and pauses'],
  ['← →', 'one update'],
  ['Shift ← →', 'own event'],
  ['+ −', 'speed'],
  ['Home End', 'start and end'],
];

export function useKeys(player: Player, act: (change: (player: Player) => void) => void): void {
  useEffect(() => {
    // What a pointer pressed has the focus as well, and must not take the space bar: later, both look alike.
    let reached: EventTarget | null = null;
    const focus = ({ target }: FocusEvent): void => {
      reached = target instanceof Element && target.matches(':focus-visible') ? target : null;
    };
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isOfItsOwn(event, reached)) return;
      const change = changeOf(event, player);
      if (change === undefined) return;
      event.preventDefault();
      act(change);
    };
    addEventListener('focusin', focus);
    addEventListener('keydown', press);
    return () => {
      removeEventListener('focusin', focus);
      removeEventListener('keydown', press);
    };
  }, [player]);
}

/** Texts take every key, and what was reached by keys takes the space bar. */
function isOfItsOwn({ target, key }: KeyboardEvent, reached: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  if (target.matches('input, textarea, select')) return true;
  return key === ' ' && target === reached && target.matches('button, a, summary');
}

function changeOf({ key, shiftKey }: KeyboardEvent, { market }: Player): ((player: Player) => void) | undefined {
  switch (key) {
    case ' ':
      return (player) => player.play(player.direction === 0 ? (shiftKey ? -1 : 1) : 0);
    case 'ArrowLeft':
    case 'ArrowRight': {
      const direction = key === 'ArrowLeft' ? -1 : 1;
      return shiftKey ? (player) => player.stepOwn(direction) : (player) => player.stepOnce(direction);
    }
    case '+':
    case '=':
      return (player) => player.faster(1);
    case '-':
    case '_':
      return (player) => player.faster(-1);
    case 'Home':
      return (player) => player.seek(market.firstAt);
    case 'End':
      return (player) => player.seek(market.lastAt);
  }
  return undefined;
}
