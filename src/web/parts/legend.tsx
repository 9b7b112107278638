/** Which line of a chart is which. */

interface LegendParts {
  readonly lines: readonly { readonly label: string; readonly colour: string }[];
}

export function Legend({ lines }: LegendParts) {
  return (
    <div class="legend">
      {lines.map(({ label, colour }) => (
        <span key={label}>
          <i class="swatch" style={{ background: `var(${colour})` }} />
          {label}
        </span>
      ))}
    </div>
  );
}
