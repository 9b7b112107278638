/** Commands: confirmed by typing, carried out once, and shown as asked, heard and done with the state that proves it. */

import { useRef, useState } from 'preact/hooks';
import type { CommandEntry, CommandOffer, CommandsPanel, Welcome } from '../../report/dashboard/panels.ts';
import { post, whyOf } from './session.ts';
import { Card, clockText, useMoment } from './shown/shown.tsx';

export function CommandsPage({ panel, welcome }: { readonly panel: CommandsPanel; readonly welcome: Welcome }) {
  const { offers, entries } = panel;
  return (
    <>
      <div class="grid commands">
        {offers.map((offer) => (
          <Command key={offer.name} offer={offer} entries={entries} welcome={welcome} />
        ))}
      </div>
      <Card title="Commands of this dashboard">
        {entries.length === 0 && (
          <p class="soft">None since the start. What came over the control socket stands in the record.</p>
        )}
        <ol class="entries">
          {entries.map((entry) => (
            <li key={entry.key}>
              <b>{offers.find(({ name }) => name === entry.name)?.title ?? entry.name}</b> {entry.reason}
              <Steps askedAt={undefined} entry={entry} />
            </li>
          ))}
        </ol>
      </Card>
    </>
  );
}

interface CommandParts {
  readonly offer: CommandOffer;
  readonly entries: readonly CommandEntry[];
  readonly welcome: Welcome;
}

/** `key`: what makes a second request the same command, however often the form is sent. */
interface Asked {
  readonly key: string;
  readonly at: number;
  readonly fault: string | undefined;
  readonly isLost: boolean;
}

function Command({ offer, entries, welcome }: CommandParts) {
  const form = useCommand(offer, welcome);
  const { asked } = form;
  const entry = entries.find((each) => each.key === asked?.key);
  const isOver = entry?.doneAt !== undefined || entry?.refused !== undefined || asked?.fault !== undefined;
  return (
    <Card title={offer.title} tone={offer.tone} id={`command-${offer.name}`}>
      <p>{offer.effect}</p>
      <Confirm offer={offer} form={form} />
      {asked !== undefined && <Steps askedAt={asked.at} entry={entry} />}
      {asked?.fault !== undefined && entry === undefined && <p class="note">{asked.fault}</p>}
      {asked?.isLost === true && entry === undefined && (
        <button type="button" class="quiet" onClick={form.repeat}>
          Ask again: it is carried out once
        </button>
      )}
      {asked !== undefined && isOver && (
        <button type="button" class="quiet" onClick={form.again}>
          Another one
        </button>
      )}
    </Card>
  );
}

interface CommandForm {
  readonly typed: string;
  readonly reason: string;
  readonly asked: Asked | undefined;
  readonly type: (text: string) => void;
  readonly explain: (text: string) => void;
  readonly submit: (event: Event) => void;
  /** The same command again, where no answer came. */
  readonly repeat: () => void;
  readonly again: () => void;
}

function useCommand({ name, word }: CommandOffer, welcome: Welcome): CommandForm {
  const { now } = useMoment();
  const [typed, type] = useState('');
  const [reason, explain] = useState('');
  const [asked, setAsked] = useState<Asked | undefined>(undefined);
  // Written at once, unlike the state: a second click in the same moment finds it.
  const key = useRef<string | undefined>(undefined);
  const send = async (mine: string): Promise<void> => {
    const at = now;
    setAsked({ key: mine, at, fault: undefined, isLost: false });
    try {
      const response = await post(welcome, '/commands', { key: mine, name, reason, word: typed });
      if (!response.ok) setAsked({ key: mine, at, fault: await whyOf(response), isLost: false });
    } catch {
      setAsked({ key: mine, at, fault: 'No answer came: whether it was heard is not known.', isLost: true });
    }
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    if (typed !== word || key.current !== undefined) return;
    key.current = newKey();
    void send(key.current);
  };
  const again = (): void => {
    key.current = undefined;
    setAsked(undefined);
    type('');
    explain('');
  };
  return { typed, reason, asked, type, explain, submit, again, repeat: () => void send(key.current ?? newKey()) };
}

function Confirm({ offer, form }: { readonly offer: CommandOffer; readonly form: CommandForm }) {
  const { title, word, tone, hasReason } = offer;
  const isAsked = form.asked !== undefined;
  return (
    <form class="ask" onSubmit={form.submit}>
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
      <label>
        <span>
          Type <b>{word}</b> to confirm
        </span>
        <input
          type="text"
          value={form.typed}
          disabled={isAsked}
          onInput={({ currentTarget }) => form.type(currentTarget.value.trim())}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
        />
      </label>
      <button type="submit" class={`act act-${tone}`} disabled={form.typed !== word || isAsked}>
        {title}
      </button>
    </form>
  );
}

interface StepsParts {
  readonly askedAt: number | undefined;
  readonly entry: CommandEntry | undefined;
}

function Steps({ askedAt, entry }: StepsParts) {
  const isDone = entry?.doneAt !== undefined;
  return (
    <ol class="steps">
      {askedAt !== undefined && <li class="yes">asked {clockText(askedAt)}</li>}
      <li class={entry === undefined ? '' : 'yes'}>
        {entry === undefined ? 'not heard yet' : `heard ${clockText(entry.heardAt)}`}
      </li>
      {entry?.refused !== undefined ? (
        <li class="no">refused: {entry.refused}</li>
      ) : (
        <li class={isDone ? 'yes' : ''}>
          {isDone
            ? `done ${clockText(entry.doneAt ?? 0)}: ${entry.proof}`
            : `not done yet${entry === undefined ? '' : `: ${entry.proof}`}`}
        </li>
      )}
    </ol>
  );
}

/** Also where the page is not served over a secure connection. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
