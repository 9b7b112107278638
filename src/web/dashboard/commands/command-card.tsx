/** One command: what it does, what is chosen for it, how it is confirmed, and how far it has come. */

import { useEffect } from 'preact/hooks';
import type { CommandEntry, CommandOffer, Welcome } from '../../../pages/panels.ts';
import { Card } from '../shown/shown.tsx';
import { type CommandForm, useCommand } from './command-form.ts';
import { Field } from './field.tsx';
import { Steps } from './steps.tsx';

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
