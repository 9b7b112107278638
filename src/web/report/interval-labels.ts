/** The labels of the interval: each stands at its mark, and those that would overlap are pushed apart. */

import { apart } from './apart.ts';

/** The gap between two labels of a row, in pixels. */
const GAP = 8;

export function placeIntervalLabels(): void {
  const range = document.querySelector('.range');
  if (!(range instanceof SVGSVGElement)) return;
  new ResizeObserver(() => place(range)).observe(range);
}

function place(range: SVGSVGElement): void {
  const room = range.getBoundingClientRect().width;
  for (const row of ['word', 'number']) {
    const labels = [...range.querySelectorAll<SVGTextElement>(`text.${row}`)].map((label) => {
      const line = label.previousElementSibling;
      label.style.fontSize = '';
      // The line begins at the mark, in per cent of the width, and is never moved there.
      const at = (Number.parseFloat(line?.getAttribute('x1') ?? '0') / 100) * room;
      return { label, line, at, size: Number.parseFloat(getComputedStyle(label).fontSize) };
    });
    labels.sort((a, b) => a.at - b.at);
    const length = labels.reduce((sum, { label }) => sum + label.getComputedTextLength(), 0);
    // Five figures on a phone fit in smaller letters alone.
    const scale = Math.min(1, (room - GAP * labels.length) / length);
    if (scale < 1) for (const { label, size } of labels) label.style.fontSize = `${size * scale}px`;
    const wanted = labels.map(({ label, at }) => ({ at, width: label.getComputedTextLength() + GAP }));
    const places = apart(wanted, room);
    for (const [index, { label, line }] of labels.entries()) {
      const x = String(places[index] ?? 0);
      label.setAttribute('x', x);
      line?.setAttribute('x2', x);
    }
  }
}
