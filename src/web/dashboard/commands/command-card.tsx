/** One command: what it does, what is chosen for it, how it is confirmed, and how far it has come. */

import { useEffect } from 'preact/hooks';
import type { CommandEntry, CommandField, CommandOffer, Welcome } from '../../../pages/panels.ts';
import { Card, clockText } from '../shown/shown.tsx';
import { type CommandForm, useCommand } from './command-form.ts';

interface CommandParts {
  readonly offer: CommandOffer;
  readonly entries: readonly CommandEntry[];
  readonly welcome: Welcome;
}

export function CommandCard({ offer, entries, welcome }: CommandParts) {
  const form = useCommand(offer, welcome);
  const { asked } = form;
  const entry = entries.find((each) => each.key === asked?.key);
  const isSettled = entry?.doneAt !== undefined || entry?.refused !== undefined;
  const isOver = isSettled || asked?.fault !== undefined;
  useEffect(() => {
    if (isSettled || (asked?.fault !== undefined && !asked.isLost)) form.settle();
  }, [isSettled, asked]);
  return (
    <Card title={offer.title} tone={offer.tone} id={`command-${offer.name}`}>
      <p>{offer.effect}</p>
      {asked === undefined && offer.off !== undefined && <p class="soft">Not now: {offer.off}</p>}
      {(asked !== undefined || offer.off === undefined) && <Confirm offer={offer} form={form} />}
      {asked !== undefined && <Steps askedAt={asked.at} entry={entry} />}
      {asked?.fault !== undefined && entry === undefined && <p class="note">{asked.fault}</p>}
      {asked?.isLost === true && entry === undefined && (
        <button type="button" class="quiet" onClick={form.repeat}>
          Ask again: it is carried out once
        </button>
      )}
      {asked !== undefined && isOver && (
        <button type="button" class="quiet" onClick={form.again}>
          {entry === undefined ? 'Give it up' : 'Another one'}
        </button>
      )}
    </Card>
  );
}

function Confirm({ offer, form }: { readonly offer: CommandOffer; readonly form: CommandForm }) {
  const { title, word, tone, hasReason, fields } = offer;
  const isAsked = form.asked !== undefined;
  return (
    <form class="ask" onSubmit={form.submit}>
      {fields.length > 0 && (
        <div class={fields.length > 2 ? 'fields' : 'fields few'}>
          {fields.map((field) => (
            <Field
              key={field.name}
              field={field}
              value={form.values[field.name] ?? ''}
              isOff={isAsked}
              onChoose={(value) => form.choose(field.name, value)}
            />
          ))}
        </div>
      )}
      {hasReason && (
        <label>
          Why, for the journal
          <input
            type="text"
            maxLength={200}
            value={form.reason}
            disabled={isAsked}
            onInput={({ currentTarget }) => form.explain(currentTarget.value)}
            autocomplete="off"
          />
        </label>
      )}
      {word !== '' && <Typed word={word} form={form} />}
      <button type="submit" class={`act act-${tone}`} disabled={!form.isReady || isAsked}>
        {title}
      </button>
    </form>
  );
}

function Typed({ word, form }: { readonly word: string; readonly form: CommandForm }) {
  return (
    <label>
      <span>
        Type <b>{word}</b> to confirm
      </span>
      <input
        type="text"
        value={form.typed}
        disabled={form.asked !== undefined}
        onInput={({ currentTarget }) => form.type(currentTarget.value.trim())}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
      />
    </label>
  );
}

interface FieldParts {
  readonly field: CommandField;
  readonly value: string;
  readonly isOff: boolean;
  readonly onChoose: (value: string) => void;
}

/** Letters that fit into half a card. */
const NARROW = 13;

/** One thing that is chosen for a command: one of a list, several of it, or a number. */
function Field({ field, value, isOff, onChoose }: FieldParts) {
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

interface StepsParts {
  readonly askedAt: number | undefined;
  readonly entry: CommandEntry | undefined;
}

/** How far a command has come: asked, heard, done or refused. */
export function Steps({ askedAt, entry }: StepsParts) {
  return (
    <ol class="steps">
      {askedAt !== undefined && <li class="yes">asked {clockText(askedAt)}</li>}
      <li class={entry === undefined ? '' : 'yes'}>
        {entry === undefined ? 'not heard yet' : `heard ${clockText(entry.heardAt)}`}
      </li>
      {entry?.refused !== undefined ? <li class="no">refused: {entry.refused}</li> : <Done entry={entry} />}
    </ol>
  );
}

function Done({ entry }: Pick<StepsParts, 'entry'>) {
  if (entry === undefined) return <li>not done yet</li>;
  if (entry.doneAt === undefined) return <li>not done yet: {entry.proof}</li>;
  return (
    <li class="yes">
      done {clockText(entry.doneAt)}: {entry.proof}
    </li>
  );
}
