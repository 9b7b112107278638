/** Step charts over time as SVG text: a few panels, one above the other, with one time axis. */

/** A line that holds its value until the next point. Times in seconds from the left edge. */
export interface StepLine {
  readonly name: string;
  readonly tone: Tone;
  readonly points: readonly (readonly [seconds: number, value: number])[];
  readonly isFilled?: boolean;
}

/** An upright line through all panels, or a bar up to a value in one. */
export interface Mark {
  readonly at: number;
  readonly label: string;
}

export interface Panel {
  readonly title: string;
  readonly height: number;
  /** The least value of the axis; 0 where it is absent. */
  readonly from?: number;
  /** The largest value of the axis; a little above all values where it is absent. */
  readonly to?: number;
  readonly lines: readonly StepLine[];
  /** Bars from zero: single trades. */
  readonly bars?: { readonly name: string; readonly points: readonly (readonly [seconds: number, value: number])[] };
}

export interface StepChart {
  readonly title: string;
  readonly seconds: number;
  readonly panels: readonly Panel[];
  readonly marks: readonly Mark[];
}

export type Tone = 'ink' | 'soft' | 'low' | 'middle' | 'high';

const WIDTH = 860;
const LEFT = 64;
const RIGHT = 20;
const TOP = 46;
const GAP = 44;

/** Colours follow the reader's scheme, also where the picture is shown by a page of another site. */
const STYLE = `
text{font:12px system-ui,sans-serif;fill:#414a57}.title{font-size:15px;font-weight:600;fill:#14181f}.panel{font-weight:600}
.grid{stroke:#d6dae1;stroke-width:1}.mark{stroke:#8a93a1;stroke-dasharray:3 3}.bar{stroke:#8a93a1;stroke-width:2}
.label{paint-order:stroke;stroke:#fff;stroke-width:4px}.line{fill:none;stroke-width:2}.area{stroke:none;opacity:.18}
.ink{stroke:#14181f}.soft{stroke:#8a93a1}.low{stroke:#c02b3a}.middle{stroke:#3454d1}.high{stroke:#0b7a4b}
.area.soft{fill:#8a93a1}.area.middle{fill:#3454d1}
@media(prefers-color-scheme:dark){.label{stroke:#0e1117}text{fill:#aab3c2}.title{fill:#e8ebf0}.grid{stroke:#2b3340}.ink{stroke:#e8ebf0}.low{stroke:#ff7b86}.middle{stroke:#8aa2ff}.high{stroke:#4ccb92}.area.middle{fill:#8aa2ff}}
`.replaceAll('\n', '');

export function stepChart({ title, seconds, panels, marks }: StepChart): string {
  const height = TOP + panels.reduce((sum, panel) => sum + panel.height + GAP, 0);
  const x = (at: number): number =>
    round(LEFT + (Math.min(Math.max(at, 0), seconds) / seconds) * (WIDTH - LEFT - RIGHT));
  let top = TOP + 18;
  const drawn: string[] = [];
  for (const panel of panels) {
    drawn.push(drawPanel(panel, { x, top, seconds }));
    top += panel.height + GAP;
  }
  const bottom = top - GAP;
  const upright = marks.map(
    ({ at }) => `<line class="mark" x1="${x(at)}" x2="${x(at)}" y1="${TOP + 10}" y2="${bottom}"/>`,
  );
  // One below the other inside of the first panel, so that neighbours and titles stay readable.
  const labels = marks.map(
    ({ at, label }, index) =>
      `<text class="label" x="${x(at) + 5}" y="${TOP + 34 + index * 16}">${escaped(label)}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(title)}">`,
    `<style>${STYLE}</style><text class="title" x="${LEFT}" y="20">${escaped(title)}</text>`,
    ...upright,
    ...drawn,
    ...labels,
    ...timeLabels(seconds).map((at) => `<text x="${x(at)}" y="${bottom + 18}" text-anchor="middle">${at} s</text>`),
    '</svg>\n',
  ].join('\n');
}

interface Place {
  readonly x: (at: number) => number;
  readonly top: number;
  readonly seconds: number;
}

interface LinePlace {
  readonly x: Place['x'];
  readonly y: (value: number) => number;
  readonly seconds: number;
  /** Where the axis begins. */
  readonly floor: number;
}

function drawPanel(panel: Panel, { x, top, seconds }: Place): string {
  const { title, height, lines, bars, from = 0, to } = panel;
  const values = [
    ...lines.flatMap(({ points }) => points.map(([, value]) => value)),
    ...(bars?.points ?? []).map(([, value]) => value),
  ];
  const most = to ?? Math.max(...values) * 1.08;
  const y = (value: number): number => round(top + height - ((value - from) / (most - from)) * height);
  const steps = ticks(from, most);
  return [
    `<text class="panel" x="${LEFT}" y="${top - 8}">${escaped(title)}</text>${legend(lines, { top, title })}`,
    ...steps.map(
      (value) =>
        `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(value)}" y2="${y(value)}"/><text x="${LEFT - 8}" y="${y(value) + 4}" text-anchor="end">${value}</text>`,
    ),
    ...(bars?.points ?? []).map(
      ([at, value]) => `<line class="bar" x1="${x(at)}" x2="${x(at)}" y1="${y(0)}" y2="${y(value)}"/>`,
    ),
    ...lines.map((line) => drawLine(line, { x, y, seconds, floor: y(from) })),
  ].join('\n');
}

function drawLine({ points, tone, isFilled }: StepLine, { x, y, seconds, floor }: LinePlace): string {
  const [first, ...rest] = points;
  if (first === undefined) return '';
  let path = `M${x(first[0])} ${y(first[1])}`;
  for (const [at, value] of rest) path += `H${x(at)}V${y(value)}`;
  path += `H${x(seconds)}`;
  const area = isFilled === true ? `<path class="area ${tone}" d="${path}V${floor}H${x(first[0])}Z"/>` : '';
  return `${area}<path class="line ${tone}" d="${path}"/>`;
}

function legend(lines: readonly StepLine[], { top, title }: { readonly top: number; readonly title: string }): string {
  if (lines.length < 2) return '';
  let at = LEFT + title.length * 6.6 + 30;
  return lines
    .map(({ name, tone }) => {
      const from = at;
      at += name.length * 6.6 + 44;
      return `<line class="line ${tone}" x1="${round(from)}" x2="${round(from + 18)}" y1="${top - 12}" y2="${top - 12}"/><text x="${round(from + 24)}" y="${top - 8}">${escaped(name)}</text>`;
    })
    .join('');
}

function ticks(from: number, most: number): readonly number[] {
  const step =
    [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200].find((size) => (most - from) / size <= 4) ?? (most - from) / 4;
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.floor(most / step) - first + 1 }, (_, index) => round((first + index) * step));
}

function timeLabels(seconds: number): readonly number[] {
  const step = [1, 2, 5, 10, 20, 30, 60, 120, 300].find((size) => seconds / size <= 9) ?? 600;
  return Array.from({ length: Math.floor(seconds / step) + 1 }, (_, index) => index * step);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
