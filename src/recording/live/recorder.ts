/** Records live markets onto a tape for each day, with the times in which data may have been missed. */

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
  /** The directory of the tapes, which must exist. */
  readonly directory: string;
  /** A market that has not ended and whose prices were not received for longer than this (ms) has a gap. */
  readonly silenceMaxMs: number;
}

/** A tape that is complete and in place; `sha256` is its identity. */
export interface FinishedTape {
  readonly path: string;
  readonly sha256: string;
  readonly markets: number;
  readonly updates: number;
  readonly gaps: number;
}

/** A gap of the market with this id. */
export interface MarketGap extends TapeGap {
  readonly market: string;
}

/** What one message about a live market became, for consumers that use it at once, such as a paper run. */
export interface LiveMarketInput {
  /** The update, valid until the next call; a definition in it is an index in `market.definitions`. */
  readonly update: UpdateBuffer;
  /** The market's encoder: the same object for as long as the market lives, from tape to tape. */
  readonly market: MarketEncoder;
  /** Updates of one instant are replayed in this order: by tape, and within a tape by market. */
  readonly tape: number;
  readonly position: number;
  /** Whether the market is closed and this was its last update. */
  readonly isLast: boolean;
}

interface TrackedMarket {
  readonly book: LiveBook;
  readonly encoder: MarketEncoder;
  recording: MarketRecording;
  /** The writer of the tape on which the market is. After midnight it moves to the next tape with its next message. */
  writer: RecordingWriter;
  /** When its prices were last received. */
  pricesAt: Instant;
  /** Why prices may have been missed, and when that was noticed; undefined where they were not. */
  broken: { readonly why: string; readonly at: Instant } | undefined;
}

const DAY_MS = 86_400_000;
const SILENT = 'no prices came';

/** Calls must come in the order of time. Nothing is on the tape before the next `commit`. */
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
  /** Why data may be missing at present, for as long as that lasts. */
  #outage: TrackedMarket['broken'];

  /** Creates the first tape. @throws TapeFailure */
  constructor(settings: RecorderSettings, now: Instant) {
    this.#settings = settings;
    this.#day = dayOf(now);
    this.#writer = RecordingWriter.create(freePath(settings.directory, now), now);
  }

  /** Path of the tape that is being written. */
  get path(): string {
    return this.#writer.path;
  }

  get counts(): { readonly markets: number; readonly updates: number } {
    return { markets: this.#tracks.size, updates: this.#updates };
  }

  /** Records a message about a market; undefined where it brought nothing that a tape keeps. */
  record(book: LiveBook, cause: MarketCause, now: Instant): LiveMarketInput | undefined {
    const track = this.#tracks.get(book) ?? this.#follow(book, now);
    const { encoder: market } = track;
    const update = this.#update;
    const isLast = book.status === 'Closed';
    if (isLast) this.#tracks.delete(book);
    if (cause === 'status') market.encodeStatus(update, now);
    // A market's end is an update even where it says nothing new: a replay frees the market then, as the run did.
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

  /** Notes that data was or may have been missed. `outage`: and more will be, until `mended` is called. */
  broke(why: string, kind: 'moment' | 'outage', at: Instant): void {
    if (kind === 'outage') this.#outage = { why, at };
    for (const track of this.#tracks.values()) track.broken ??= { why, at };
  }

  /** Notes that data of a market was missed, which shows only now. */
  missed(market: string, gap: TapeGap): void {
    for (const track of this.#tracks.values()) if (track.book.facts.id === market) this.#miss(track, gap);
  }

  mended(): void {
    this.#outage = undefined;
  }

  /**
   * Puts what was recorded on the tape, and begins the next tape where a day has ended. Returns the gaps closed since
   * the last call.
   */
  commit(now: Instant): readonly MarketGap[] {
    if (dayOf(now) === this.#day) this.#writer.commit(now);
    else this.#rotate(now);
    const gaps = this.#gaps;
    this.#gaps = [];
    return gaps;
  }

  /** Finishes the tape; returns all tapes of this recorder. */
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

  /**
   * Notes a market's gap, if it has one, because its prices came again. During an outage they are recorded but may be
   * incomplete; so they are after a loss, until a whole book came that was asked for later.
   */
  #closeGap(track: TrackedMarket, now: Instant): void {
    if (this.#outage !== undefined) return;
    if (track.broken !== undefined && (track.book.freshAt ?? now) < track.broken.at) return;
    this.#noteGap(track, now);
    track.pricesAt = now;
    track.broken = undefined;
  }

  #noteGap(track: TrackedMarket, now: Instant): void {
    const isSilent = now - track.pricesAt > this.#settings.silenceMaxMs;
    const why = track.broken?.why ?? (isSilent ? SILENT : undefined);
    if (why === undefined) return;
    this.#miss(track, { from: track.pricesAt, to: now, why });
  }

  /** A tape that is finished keeps what it says, so that the gap is reported alone. */
  #miss(track: TrackedMarket, gap: TapeGap): void {
    if (track.writer === this.#writer) track.recording.missed(gap);
    this.#gaps.push({ market: track.book.facts.id, ...gap });
    this.#gapsOnTape += 1;
  }

  /** Finishes the tape. A market whose prices may have been missed at the end has a gap until its end. */
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

  /**
   * Begins the next tape. Every tape stands for itself: markets that go on begin there with all that is known of them.
   */
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

/** The path for a new tape: `2026-11-20.tape`; where the day has one already, `2026-11-20.2.tape`, and so on. */
function freePath(directory: string, now: Instant): string {
  const day = new Date(now).toISOString().slice(0, 10);
  for (let part = 1; ; part += 1) {
    const path = join(directory, part === 1 ? `${day}.tape` : `${day}.${part}.tape`);
    if (![path, `${path}${UNFINISHED}`].some(isTaken)) return path;
  }
}

/**
 * Whether something is at a path. If that cannot be found out, it counts as free: writing there will then say why it
 * fails.
 */
function isTaken(path: string): boolean {
  const { kind } = named(path);
  return kind !== 'nothing' && kind !== 'unreachable';
}
