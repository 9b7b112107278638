/** What a person has chosen and typed for a command, and what became of it: sent once, however often the form is. */

import { useRef, useState } from 'preact/hooks';
import type { CommandField, CommandOffer, Welcome } from '../../../pages/panels.ts';
import { post, whyOf } from '../../parts/session.ts';
import { useMoment } from '../shown/shown.tsx';
import { newKey } from './new-key.ts';

/** `key`: what makes a second request the same command. */
interface Asked {
  readonly key: string;
  readonly at: number;
  readonly fault: string | undefined;
  /** No answer came: whether it was heard is not known. */
  readonly isLost: boolean;
}

/** What is sent. Kept in the tab until it is over, so that a page that is loaded anew asks for the same command, not for another. */
interface Sent {
  readonly at: number;
  readonly fields: Readonly<Record<string, string>>;
}

export interface CommandForm {
  readonly typed: string;
  readonly reason: string;
  readonly values: Readonly<Record<string, string>>;
  readonly asked: Asked | undefined;
  readonly isReady: boolean;
  readonly type: (text: string) => void;
  readonly explain: (text: string) => void;
  readonly choose: (name: string, value: string) => void;
  readonly submit: (event: Event) => void;
  /** The same command again, where no answer came. */
  readonly repeat: () => void;
  readonly again: () => void;
  /** It is over: a page that is loaded anew need not know of it. */
  readonly settle: () => void;
}

export function useCommand(offer: CommandOffer, welcome: Welcome): CommandForm {
  const { name, of, word, off, fields } = offer;
  const { now } = useMoment();
  const place = `asked ${name} ${of}`;
  const [typed, type] = useState('');
  const [reason, explain] = useState('');
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
  // Written at once, unlike the state: a second click in the same moment finds it.
  const sent = useRef<Sent | undefined>(undefined);
  const [asked, setAsked] = useState<Asked | undefined>(() => {
    sent.current = sentBefore(place);
    if (sent.current === undefined) return undefined;
    const { at, fields: was } = sent.current;
    return { key: was['key'] ?? '', at, fault: 'The page was loaded anew before an answer came.', isLost: true };
  });
  const values = Object.fromEntries(fields.map((field) => [field.name, standing(field, chosen[field.name], word)]));
  const isReady = typed === word && off === undefined && fields.every((field) => isChosen(field, values[field.name]));
  const send = async ({ at, fields: given }: Sent): Promise<void> => {
    const key = given['key'] ?? '';
    setAsked({ key, at, fault: undefined, isLost: false });
    try {
      const response = await post(welcome, '/commands', given);
      if (!response.ok) setAsked({ key, at, fault: await whyOf(response), isLost: false });
    } catch {
      setAsked({ key, at, fault: 'No answer came: whether it was heard is not known.', isLost: true });
    }
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    if (!isReady || sent.current !== undefined) return;
    sent.current = { at: now, fields: { ...values, key: newKey(), name, of, reason, word: typed } };
    sessionStorage.setItem(place, JSON.stringify(sent.current));
    void send(sent.current);
  };
  const settle = (): void => sessionStorage.removeItem(place);
  const again = (): void => {
    sent.current = undefined;
    settle();
    setAsked(undefined);
    setChosen({});
    type('');
    explain('');
  };
  const repeat = (): void => {
    if (sent.current !== undefined) void send(sent.current);
  };
  const choose = (field: string, value: string): void => setChosen((before) => ({ ...before, [field]: value }));
  return { typed, reason, values, asked, isReady, type, explain, choose, submit, repeat, again, settle };
}

/** What stands there first is chosen where that can be undone; for the rest a person must choose. */
function standing(field: CommandField, chosen: string | undefined, word: string): string {
  if (field.kind === 'number') return chosen ?? field.first;
  const offered = field.options.map(({ value }) => value);
  const values = (chosen ?? '').split(',').filter((value) => offered.includes(value));
  const first = word === '' && field.most === 1 ? (offered[0] ?? '') : '';
  return values.length === 0 ? first : values.join(',');
}

/** The server looks at it again. */
function isChosen(field: CommandField, value = ''): boolean {
  if (field.kind === 'number') return value !== '' && Number(value) >= field.least && Number(value) <= field.most;
  const many = value === '' ? 0 : value.split(',').length;
  return many >= field.least && many <= field.most;
}

function sentBefore(place: string): Sent | undefined {
  const text = sessionStorage.getItem(place);
  return text === null ? undefined : JSON.parse(text);
}
