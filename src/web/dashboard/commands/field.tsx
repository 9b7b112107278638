/** One thing that is chosen for a command: one of a list, several of it, or a number. */

import type { CommandField } from '../../../pages/panels.ts';

interface FieldParts {
  readonly field: CommandField;
  readonly value: string;
  readonly isOff: boolean;
  readonly onChoose: (value: string) => void;
}

/** Letters that fit into half a card. */
const NARROW = 13;

export function Field({ field, value, isOff, onChoose }: FieldParts) {
  if (field.kind === 'choice' && field.most > 1)
    return <Several field={field} value={value} isOff={isOff} onChoose={onChoose} />;
  return field.kind === 'number' ? (
    <label>
      {field.label}
      <input
        type="number"
        inputmode="decimal"
        name={field.name}
        min={field.least}
        max={field.most}
        step={field.decimals === 0 ? 1 : 10 ** -field.decimals}
        value={value}
        disabled={isOff}
        onInput={({ currentTarget }) => onChoose(currentTarget.value)}
      />
    </label>
  ) : (
    <label class={field.options.every(({ label }) => label.length > NARROW) ? 'whole' : ''}>
      {field.label}
      <select
        name={field.name}
        value={value}
        disabled={isOff}
        onChange={({ currentTarget }) => onChoose(currentTarget.value)}
      >
        {value === '' && <option value="">choose</option>}
        {field.options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  );
}

interface SeveralParts extends Omit<FieldParts, 'field'> {
  readonly field: Extract<CommandField, { kind: 'choice' }>;
}

function Several({ field: { name, label, options, least, most }, value, isOff, onChoose }: SeveralParts) {
  const chosen = value === '' ? [] : value.split(',');
  const toggle = (each: string): void =>
    onChoose((chosen.includes(each) ? chosen.filter((other) => other !== each) : [...chosen, each]).join(','));
  return (
    <fieldset disabled={isOff}>
      <legend>
        {label}, {least === most ? least : `${least} to ${most}`}
      </legend>
      {options.map((option) => (
        <label key={option.value} class="tick">
          <input
            type="checkbox"
            name={name}
            checked={chosen.includes(option.value)}
            onChange={() => toggle(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
