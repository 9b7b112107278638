/** One market of the run: loaded, then played. */

import { useEffect, useState } from 'preact/hooks';
import type { ViewMarket, ViewMarketRow, ViewWelcome } from '../../../pages/view-data.ts';
import type { NoSession } from '../../parts/session.ts';
import type { Address } from '../play/address.ts';
import type { Trouble } from '../play/answers.ts';
import { askMarket } from '../play/requests.ts';
import { Played } from './played.tsx';
import { TroubleBar } from './trouble.tsx';

interface MarketParts {
  readonly welcome: ViewWelcome;
  readonly row: ViewMarketRow | undefined;
  readonly address: Address;
  readonly onClosed: (why: NoSession) => void;
  /** Reads what became of a run that goes on. */
  readonly onRefresh: () => void;
}

export function MarketPage({ welcome, row, address, onClosed, onRefresh }: MarketParts) {
  const [read, setRead] = useState<{ readonly market: ViewMarket; readonly turn: number }>();
  const [trouble, setTrouble] = useState<Trouble>();
  const [tries, setTries] = useState(0);
  const id = address.market ?? '';
  useEffect(() => {
    let isLeft = false;
    void askMarket(id).then((answer) => {
      if (isLeft) return;
      if (answer.kind === 'closed') onClosed({ ...answer, kind: 'closed' });
      else if (answer.kind === 'value') {
        setTrouble(undefined);
        setRead({ market: answer.value, turn: tries });
      } else setTrouble(answer);
    });
    return () => {
      isLeft = true;
    };
  }, [id, tries]);
  if (trouble !== undefined)
    return <TroubleBar trouble={trouble} restart={welcome.newLink} onRetry={() => setTries(tries + 1)} />;
  if (read === undefined) return <p class="empty">Reading {row?.event ?? id} …</p>;
  const refresh = (): void => {
    onRefresh();
    setTries(tries + 1);
  };
  return (
    <Played
      key={read.turn}
      welcome={welcome}
      market={read.market}
      address={address}
      onClosed={onClosed}
      onRefresh={welcome.kind === 'backtest' ? undefined : refresh}
    />
  );
}
