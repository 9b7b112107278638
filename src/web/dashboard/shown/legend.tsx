/** The names of the lines of a chart, each with its colour. */

import { lineColour } from '../../parts/colour.ts';

export function Legend({ names }: { readonly names: readonly string[] }) {
  return (
    <ul class="legend">
      {names.map((name, place) => (
        <li key={name}>
          <i style={{ background: `var(${lineColour(place)})` }} /> {name}
        </li>
      ))}
    </ul>
  );
}
