/** Keeps the balances of the run's wallets up to date. */

import { auditTime, ignoreElements, map, merge, type Observable, of, Subject, tap } from 'rxjs';
import { faultsText } from '../../../codec/fault.ts';
import { sortedOut } from '../../../codec/lenient.ts';
import type { Instant, Money } from '../../../core/number/units.ts';
import { poll } from '../../../exchange-live/polling/poll.ts';
import { readEveryMs } from '../../../exchange-live/settings.ts';
import { readByIds } from '../../lists/complete-lists.ts';
import type { GatewayContext } from '../base/gateway-context.ts';
import { messagesOf, type StreamFeed } from '../base/stream-feed.ts';
import { moneyOf, type WalletDocument } from './account-snapshots.ts';

/** Changes within this time, ms, cause one reading. */
const TOGETHER_MS = 250;
const size = 500;

/**
 * The stream reports that a balance changed, but not how much of it is available, and nothing when an order is placed or
 * cancelled. So each of these events causes a reading if wallets are streamed. If they are polled, the next poll shows the
 * change.
 */
export class WalletsFeed {
  /** Runs the feed until unsubscribed; it emits nothing. */
  readonly run$: Observable<never>;
  readonly #context: GatewayContext;
  readonly #touched = new Subject<void>();
  /** Of the last reading: wallets of the run that it did not tell. */
  #unread: readonly number[] = [];
  readonly #lastReported = new Map<string, { readonly balance: Money; readonly balanceAvailable: Money }>();

  constructor(context: GatewayContext, stream: StreamFeed | undefined) {
    this.#context = context;
    const { clock, settings, emit } = context;
    const everyMs = readEveryMs(settings.feeds.wallets);
    const isStreamed = stream !== undefined;
    const wake$ = isStreamed ? this.#touched.pipe(auditTime(TOGETHER_MS, clock)) : this.#touched.pipe(ignoreElements());
    const onComplete = (at: Instant): void => {
      const unread = this.#unread.length > 0 && { walletsUnread: this.#unread };
      emit({ kind: 'read', feed: 'wallets', at, ...unread });
    };
    const reads$ = poll({ clock, everyMs, wake$, task: () => this.#read(), onComplete });
    this.run$ = isStreamed ? merge(this.#listen(stream), reads$) : reads$;
  }

  /** One of our orders changed, and with it the available balance. */
  touch(): void {
    this.#touched.next();
  }

  #listen(stream: StreamFeed): Observable<never> {
    const { wallets } = this.#context.settings;
    const updates$ = messagesOf(stream, 'WalletUpdate');
    const subscribed$ = of(wallets).pipe(tap((ids) => stream.subscribe('WalletUpdate', ids)));
    return merge(merge(updates$, stream.resync$).pipe(tap(() => this.#touched.next())), subscribed$).pipe(
      ignoreElements(),
    );
  }

  /** Emits whether at least one wallet of the run was read: one that cannot be read is no reason to count the others as old. */
  #read(): Observable<boolean> {
    const { calls, settings, note } = this.#context;
    return readByIds(calls, 'listWallets', settings.wallets, (walletIds) => ({ query: { walletIds, size } })).pipe(
      map((reading) => {
        if (reading.kind === 'failed') {
          note({ ...reading, kind: 'readFailed', what: 'wallets' });
          return false;
        }
        const { read, unreadable } = sortedOut(reading.answers.flatMap(({ wallets }) => wallets));
        for (const { part, faults } of unreadable)
          note({ kind: 'unreadable', what: `wallet ${part.id ?? 'without an id'}`, details: faultsText(faults) });
        const taken = new Set(read.filter((wallet) => this.#take(wallet)).map(({ id }) => id));
        const shown = new Set([...read.map(({ id }) => id), ...unreadable.map(({ part }) => part.id)]);
        const missing = settings.wallets.filter((id) => !shown.has(id));
        for (const id of missing)
          note({ kind: 'unreadable', what: `wallet ${id}`, details: 'it is not in the answer' });
        this.#unread = [...settings.wallets.keys()].filter((wallet) => !taken.has(settings.wallets[wallet] ?? ''));
        return this.#unread.length < settings.wallets.length;
      }),
    );
  }

  /** Takes over a wallet document. Returns false if it makes no sense. */
  #take(document: WalletDocument): boolean {
    const { id } = document;
    const { settings, note, emit } = this.#context;
    const wallet = settings.wallets.indexOf(id);
    if (wallet < 0) return true;
    const current = moneyOf(document, settings.currency);
    if (current === undefined) {
      note({ kind: 'unreadable', what: `wallet ${id}`, details: 'its balance is no amount of money' });
      return false;
    }
    const reported = this.#lastReported.get(id);
    if (reported?.balance === current.balance && reported.balanceAvailable === current.balanceAvailable) return true;
    this.#lastReported.set(id, current);
    emit({ kind: 'wallet', wallet, ...current });
    return true;
  }
}
