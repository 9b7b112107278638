/** Small parts of every page: a card that says how old it is, ages, tones, figures. */

import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Figure, Tone } from '../../../pages/figure.ts';
import { type Bar, type Part, usedShare } from '../../../pages/panels.ts';
import { count, dayText, signed, tone as signOf, utc } from '../../../words/numbers.ts';
import { addressOf, type Route } from './route.ts';

export interface Moment {
  /** The server’s time now, ms UTC, as far as its last event says. */
  readonly now: number;
  /** How long ago the last event came. */
  readonly silentMs: number;
  readonly isStale: boolean;
}

export const MomentContext = createContext<Moment>({ now: 0, silentMs: 0, isStale: false });

export function useMoment(): Moment {
  return useContext(MomentContext);
}

interface CardParts {
  readonly title: string;
  readonly children: ComponentChildren;
  /** The time of what is shown, where that is another time than that of the last event. */
  readonly at?: number | undefined;
  readonly more?: ComponentChildren;
  readonly tone?: Tone;
  readonly id?: string;
}

export function Card({ title, children, at, more, tone = 'plain', id }: CardParts) {
  const { now, silentMs, isStale } = useMoment();
  const age = at === undefined ? silentMs : Math.max(silentMs, now - at);
  // A panel is of the last event: its age is news only where it has one of its own, or where no event comes.
  const isAged = isStale || at !== undefined;
  return (
    <section class={`card ${isStale ? 'stale' : ''} tone-${tone}`} id={id}>
      <div class="head">
        <h2>{title}</h2>
        <span class="aged">
          {more}
          {isAged && <span class="age">{ageText(age)} old</span>}
        </span>
      </div>
      {children}
    </section>
  );
}

/** How long ago something was. */
export function Age({ at }: { readonly at: number }) {
  const { now } = useMoment();
  return <time title={`${utc(at)} UTC`}>{ageText(now - at)}</time>;
}

const DAY_MS = 86_400_000;

/** When something begins: the time, and the day where it is another one, with its year where it is far away. */
export function Begins({ at }: { readonly at: number }) {
  const { now } = useMoment();
  const [date = '', time = ''] = utc(at).split(' ');
  const day = dayText(at, Math.abs(at - now) > 180 * DAY_MS);
  return (
    <time title={`${utc(at)} UTC`}>
      {!utc(now).startsWith(date) && <span class="day">{day} </span>}
      {time.slice(0, 5)}
    </time>
  );
}

export function Figures({ figures }: { readonly figures: readonly Figure[] }) {
  return (
    <dl class="figures">
      {figures.map((figure) => (
        <div key={figure.label}>
          <dt>{figure.label}</dt>
          <dd class={figure.tone === undefined ? '' : `word-${figure.tone}`}>
            <FigureValue figure={figure} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function FigureValue({ figure: { text, amount, at, isAgo } }: { readonly figure: Figure }) {
  if (amount !== undefined) return <span class={signOf(amount)}>{signed(amount)}</span>;
  if (at === undefined) return <span>{text}</span>;
  return (
    <span>
      <Age at={at} />
      {isAgo === true && ' ago'}
    </span>
  );
}

/** How near a limit is to being reached. */
export function limitTone(bar: Pick<Bar, 'used' | 'limit'>): Tone {
  const share = usedShare(bar);
  return share >= 1 ? 'bad' : share >= 0.8 ? 'warn' : 'good';
}

interface MeterParts {
  /** A share from 0 to 1. */
  readonly share: number;
  readonly tone: Tone;
}

/** The figures stand beside it. */
export function Meter({ share, tone }: MeterParts) {
  return (
    <div class="bar" aria-hidden="true">
      <i class={`bar-${tone}`} style={{ width: `${share * 100}%` }} />
    </div>
  );
}

interface PagesParts {
  readonly part: Part<unknown>;
  readonly route: Route;
  readonly noun: string;
}

/** How many there are, and the way to the next ones. */
export function Pages({ part: { rows, from, total }, route, noun }: PagesParts) {
  const last = from + rows.length;
  const link = (first: number, words: string) => (
    <a class="quiet" href={addressOf({ ...route, from: String(first) })}>
      {words}
    </a>
  );
  return (
    <p class="pages soft">
      <span>{total === 0 ? `no ${noun}s` : `${count(from + 1)} to ${count(last)} of ${count(total)}`}</span>
      {from > 0 && link(Math.max(0, from - 50), 'before')}
      {last < total && link(last, 'next')}
    </p>
  );
}

/** 93_000 → `1 min 33 s`. */
export function ageText(ms: number): string {
  const seconds = Math.max(0, ms) / 1_000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** `14:05:00` UTC. */
export function clockText(at: number): string {
  return utc(at).slice(11);
}
