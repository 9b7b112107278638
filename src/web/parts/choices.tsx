/** Choosing one of a few: from a list that unfolds, or by buttons beside each other. */

export interface ChoiceParts<Key extends string> {
  readonly label: string;
  /** Texts by what is chosen with them. */
  readonly of: readonly (readonly [key: Key, text: string])[];
  readonly chosen: Key;
  readonly onChoose: (key: Key) => void;
}

export function Choice<Key extends string>({ label, of, chosen, onChoose }: ChoiceParts<Key>) {
  const choose = (place: number): void => {
    const [key] = of[place] ?? [];
    if (key !== undefined) onChoose(key);
  };
  return (
    <label>
      {label}{' '}
      <select onChange={({ currentTarget }) => choose(currentTarget.selectedIndex)}>
        {of.map(([key, text]) => (
          <option key={key} value={key} selected={key === chosen}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

export function Switch<Key extends string>({ label, of, chosen, onChoose }: ChoiceParts<Key>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a frame and a legend of its own.
    <div class="switch" role="group" aria-label={label}>
      {of.map(([key, text]) => (
        <button key={key} type="button" aria-pressed={key === chosen} onClick={() => onChoose(key)}>
          {text}
        </button>
      ))}
    </div>
  );
}
