/** Records live markets: from what is heard of them onto a tape for each day, with what was not heard. */

import { join } from 'node:path';
import type { Instant } from '../../core/number/units.ts';
import type { MarketCause } from '../../exchange/gateway.ts';
import { UpdateBuffer } from '../segment/update-buffer.ts';
import { named } from '../tape/path-kind.ts';
import type { TapeGap } from '../tape/tape-schema.ts';
import type { LiveBook } from './live-book.ts';
import { type EncodedSource, MarketEncoder } from './market-encoder.ts';
import { MarketRecording, type RecordedSource } from './market-recording.ts';
import { RecordingWriter, UNFINISHED } from './recording-writer.ts';

export interface RecorderSettings extends RecordedSource, EncodedSource {
  /** Exists. */
  readonly directory: string;
  /** A market that is not over and of which no prices came for longer than this has a gap. */
  readonly silenceMaxMs: number;
}

export interface FinishedTape {
  readonly path: string;
  readonly sha256: string;
  readonly markets: number;
  readonly updates: number;
  readonly gaps: number;
}

export interface MarketGap extends TapeGap {
  readonly market: string;
}

/** What was written of one piece of news. */
export interface LiveMarketInput {
  /** Valid until the next call; its definition's number is that of `market.definitions`. */
  readonly update: UpdateBuffer;
  /** The same object as long as the market lives, from tape to tape. */
  readonly market: MarketEncoder;
  /** Updates of one instant are replayed in this order: by tape, and in it by market. */
  readonly tape: number;
  readonly position: number;
  /** The market is closed: this was all. */
  readonly isLast: boolean;
}

interface TrackedMarket {
  readonly book: LiveBook;
  readonly encoder: MarketEncoder;
  recording: MarketRecording;
  /** The tape that it is on. A market is on the next one once it is heard again. */
  writer: RecordingWriter;
  /** When its prices were last heard. */
  pricesAt: Instant;
  /** Why they may have been missed since, until they are heard again. */
  broken: string | undefined;
}

const DAY_MS = 86_400_000;
const SILENT = 'no prices came';

/** Calls come in the order of time. Nothing is on the tape before the next `commit`. */
export class Recorder {
  readonly #settings: RecorderSettings;
  readonly #tracks = new Map<LiveBook, TrackedMarket>();
  readonly #finished: FinishedTape[] = [];
  readonly #update = new UpdateBuffer();
  #writer: RecordingWriter;
  #day: number;
  #updates = 0;
  #gaps: MarketGap[] = [];
  #gapsOnTape = 0;
  /** Why nothing that comes now is sure to be all, while that lasts. */
  #outage: string | undefined;

  /** @throws TapeFailure */
  constructor(settings: RecorderSettings, now: Instant) {
    this.#settings = settings;
    this.#day = dayOf(now);
    this.#writer = RecordingWriter.create(freePath(settings.directory, now), now);
  }

  /** Of the tape that is being written. */
  get path(): string {
    return this.#writer.path;
  }

  get counts(): { readonly markets: number; readonly updates: number } {
    return { markets: this.#tracks.size, updates: this.#updates };
  }

  /** Undefined where the news brought nothing that a tape keeps. */
  record(book: LiveBook, cause: MarketCause, now: Instant): LiveMarketInput | undefined {
    const track = this.#tracks.get(book) ?? this.#follow(book, now);
    const { encoder: market } = track;
    const update = this.#update;
    const isLast = book.status === 'Closed';
    if (isLast) this.#tracks.delete(book);
    if (cause === 'status') market.heardStatus(update, now);
    // The end of a market is an update even where it says nothing new: a replay lets go of it then, as the run did.
    if (cause === 'status' && update.count === 0 && !isLast) return undefined;
    if (track.writer !== this.#writer) this.#goOn(track);
    if (cause !== 'status') {
      this.#closeGap(track, now);
      market.encodePrices(update, now);
    }
    track.recording.write(update);
    this.#updates += 1;
    return { update, market, tape: this.#finished.length, position: track.recording.position, isLast };
  }

  /** Something was or may be missed. `outage`: and will be, until `mended`. */
  broke(why: string, kind: 'moment' | 'outage'): void {
    if (kind === 'outage') this.#outage = why;
    for (const track of this.#tracks.values()) track.broken ??= why;
  }

  mended(): void {
    this.#outage = undefined;
  }

  /** Puts what was heard on the tape, and begins the next one where a day has ended. The gaps that were closed since. */
  commit(now: Instant): readonly MarketGap[] {
    if (dayOf(now) === this.#day) this.#writer.commit(now);
    else this.#rotate(now);
    const gaps = this.#gaps;
    this.#gaps = [];
    return gaps;
  }

  /** Finishes the tape; all tapes of this recorder. */
  finish(now: Instant): readonly FinishedTape[] {
    this.#finishTape(now);
    return this.#finished;
  }

  #follow(book: LiveBook, now: Instant): TrackedMarket {
    const encoder = new MarketEncoder(book, this.#settings);
    const recording = this.#record(encoder);
    const track: TrackedMarket = {
      book,
      encoder,
      recording,
      writer: this.#writer,
      pricesAt: now,
      broken: this.#outage,
    };
    this.#tracks.set(book, track);
    return track;
  }

  #goOn(track: TrackedMarket): void {
    track.recording = this.#record(track.encoder);
    track.writer = this.#writer;
  }

  #record(encoder: MarketEncoder): MarketRecording {
    return new MarketRecording({ encoder, writer: this.#writer, source: this.#settings });
  }

  /** What is heard during an outage is written, but is not sure to be all. */
  #closeGap(track: TrackedMarket, now: Instant): void {
    if (this.#outage !== undefined) return;
    this.#noteGap(track, now);
    track.pricesAt = now;
    track.broken = undefined;
  }

  #noteGap(track: TrackedMarket, now: Instant): void {
    const isSilent = now - track.pricesAt > this.#settings.silenceMaxMs;
    const why = track.broken ?? (isSilent ? SILENT : undefined);
    if (why === undefined) return;
    const gap = { from: track.pricesAt, to: now, why };
    track.recording.missed(gap);
    this.#gaps.push({ market: track.book.facts.id, ...gap });
    this.#gapsOnTape += 1;
  }

  /** A market whose prices may have been missed to the very end has a gap to its end. */
  #finishTape(now: Instant): void {
    for (const track of this.#tracks.values()) {
      if (track.book.isOver || track.writer !== this.#writer) continue;
      this.#noteGap(track, now);
      if (track.broken !== undefined) track.pricesAt = now;
    }
    const { markets } = this.#writer;
    const placed = this.#writer.finish();
    this.#finished.push({ ...placed, markets, updates: this.#writer.updates, gaps: this.#gapsOnTape });
    this.#gapsOnTape = 0;
  }

  /** Every tape stands for itself: markets that go on begin anew with all that is known of them. */
  #rotate(now: Instant): void {
    this.#finishTape(now);
    this.#day = dayOf(now);
    this.#writer = RecordingWriter.create(freePath(this.#settings.directory, now), now);
    for (const { book, encoder } of this.#tracks.values()) if (book.isOver) encoder.free();
  }
}

function dayOf(at: Instant): number {
  return Math.floor(at / DAY_MS);
}

/** `2026-11-20.tape`; where the day has one already, `2026-11-20.2.tape`, and so on. */
function freePath(directory: string, now: Instant): string {
  const day = new Date(now).toISOString().slice(0, 10);
  for (let part = 1; ; part += 1) {
    const path = join(directory, part === 1 ? `${day}.tape` : `${day}.${part}.tape`);
    if (![path, `${path}${UNFINISHED}`].some(isTaken)) return path;
  }
}

/** What cannot even be looked at is not taken: its writing says why. */
function isTaken(path: string): boolean {
  const { kind } = named(path);
  return kind !== 'nothing' && kind !== 'unreachable';
}
