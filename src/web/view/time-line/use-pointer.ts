/** What a pointer does in the time line: a click or a touch goes there, a selection zooms, Shift moves, a wheel zooms and moves. */

import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { GUTTER } from './pane.ts';
import { moved, type Span, within } from './span.ts';

interface PointerParts {
  readonly place: RefObject<HTMLElement | null>;
  readonly span: Span;
  readonly whole: Span;
  /** The shown instant. */
  readonly at: number;
  readonly onSpan: (span: Span) => void;
  readonly onSeek: (at: number) => void;
}

export interface Pointed {
  /** The instant beneath the pointer. */
  readonly hover: number | undefined;
  readonly selection: Span | undefined;
}

const NOWHERE: Pointed = { hover: undefined, selection: undefined };

export function usePointer(parts: PointerParts): Pointed {
  const latest = useRef(parts);
  latest.current = parts;
  const [pointed, setPointed] = useState(NOWHERE);
  useEffect(() => {
    const element = parts.place.current;
    if (element === null) return;
    const pointer = new Pointer(element, () => latest.current, setPointed);
    element.addEventListener('pointerdown', (event) => pointer.press(event));
    element.addEventListener('pointermove', (event) => pointer.move(event));
    element.addEventListener('pointerup', (event) => pointer.release(event));
    for (const end of ['pointercancel', 'pointerleave'] as const) element.addEventListener(end, () => pointer.leave());
    element.addEventListener('dblclick', () => latest.current.onSpan(latest.current.whole));
    element.addEventListener('wheel', (event) => pointer.wheel(event), { passive: false });
  }, []);
  return pointed;
}

/** The pointer takes hold of the instant this near to its line. */
const GRIP = 8;
/** What moved less is a click. */
const CLICK = 4;

class Pointer {
  readonly #element: HTMLElement;
  readonly #look: () => PointerParts;
  readonly #show: (pointed: Pointed) => void;
  #hold: 'seek' | 'select' | 'move' | undefined;
  #pressed = 0;
  #before = 0;

  constructor(element: HTMLElement, look: () => PointerParts, show: (pointed: Pointed) => void) {
    this.#element = element;
    this.#look = look;
    this.#show = show;
  }

  press({ button, clientX, pointerId, pointerType, shiftKey }: PointerEvent): void {
    if (button !== 0) return;
    this.#element.setPointerCapture(pointerId);
    this.#pressed = clientX;
    this.#before = clientX;
    this.#hold = pointerType !== 'mouse' || this.#isOnLine(clientX) ? 'seek' : shiftKey ? 'move' : 'select';
    if (this.#hold === 'seek') this.#look().onSeek(this.#instant(clientX));
  }

  move({ clientX }: PointerEvent): void {
    const { span, whole, onSpan, onSeek } = this.#look();
    const hover = this.#instant(clientX);
    this.#element.classList.toggle('grips', this.#isOnLine(clientX));
    const isSelecting = this.#hold === 'select' && Math.abs(clientX - this.#pressed) > CLICK;
    this.#show({ hover, selection: isSelecting ? { from: this.#instant(this.#pressed), to: hover } : undefined });
    if (this.#hold === 'seek') onSeek(hover);
    if (this.#hold !== 'move') return;
    const part = (this.#before - clientX) / this.#width();
    this.#before = clientX;
    onSpan(moved(span, whole, [part, part]));
  }

  release({ clientX }: PointerEvent): void {
    const { whole, onSpan, onSeek } = this.#look();
    const hold = this.#hold;
    const [from, to] = [this.#instant(this.#pressed), this.#instant(clientX)];
    this.#hold = undefined;
    this.#show({ hover: to, selection: undefined });
    if (hold !== 'select') return;
    if (Math.abs(clientX - this.#pressed) <= CLICK) onSeek(to);
    else onSpan(within({ from, to }, whole));
  }

  leave(): void {
    this.#hold = undefined;
    this.#show(NOWHERE);
  }

  /** Zooms with Ctrl, or by two fingers, and moves sideways, as the charts of a report do. */
  wheel(event: WheelEvent): void {
    const { deltaX, deltaY, ctrlKey, clientX } = event;
    if (!ctrlKey && Math.abs(deltaX) <= Math.abs(deltaY)) return;
    event.preventDefault();
    const { span, whole, onSpan } = this.#look();
    const place = Math.max(0, Math.min(1, this.#pixels(clientX) / this.#width()));
    const part = Math.max(-0.4, Math.min(0.4, -deltaY * 0.004));
    const along = deltaX / this.#width();
    onSpan(moved(span, whole, ctrlKey ? [part * place, -part * (1 - place)] : [along, along]));
  }

  #width(): number {
    return Math.max(1, this.#element.clientWidth - GUTTER.left - GUTTER.right);
  }

  #pixels(clientX: number): number {
    return clientX - this.#element.getBoundingClientRect().left - GUTTER.left;
  }

  #instant(clientX: number): number {
    const { span } = this.#look();
    const part = Math.max(0, Math.min(1, this.#pixels(clientX) / this.#width()));
    return span.from + part * (span.to - span.from);
  }

  #isOnLine(clientX: number): boolean {
    const { span, at } = this.#look();
    const place = ((at - span.from) / (span.to - span.from)) * this.#width();
    return Math.abs(this.#pixels(clientX) - place) <= GRIP;
  }
}
