/** Serves the view of a run over HTTP. */

import { Sessions } from '../../dashboard/server/sessions.ts';
import { closed, listening, openWarning, portOf, shownHost } from '../../http/listening.ts';
import type { ViewSource } from '../view-source.ts';
import { ViewAnswers } from './view-answers.ts';

export interface ViewServerParts {
  /** 0: any that is free. */
  readonly port: number;
  readonly host: string;
  readonly source: ViewSource;
  readonly now: () => number;
  readonly onFault: (error: unknown) => void;
}

export interface ViewServer {
  /** Its address without a secret. */
  readonly url: string;
  /** Why others may reach it; undefined on loopback. */
  readonly warning: string | undefined;
  /** A new link that opens it once, at this market if one is given. */
  link(market: string | undefined): string;
  close(): Promise<void>;
}

const WHAT = 'the view';

/** @throws CliError PORT_IN_USE, ADDRESS_NOT_AVAILABLE */
export async function openViewServer({ port, host, source, now, onFault }: ViewServerParts): Promise<ViewServer> {
  const sessions = new Sessions(now);
  const answers = new ViewAnswers({ source, sessions, host, onFault });
  const server = await listening({ port, host, what: WHAT, setting: '--port' }, (request, response) =>
    answers.answer(request, response),
  );
  answers.listensOn(portOf(server));
  const url = `http://${shownHost(host)}:${portOf(server)}`;
  return {
    url,
    warning: openWarning({ host, what: WHAT }),
    link: (market) => {
      const place = market === undefined ? '' : `&market=${encodeURIComponent(market)}`;
      return `${url}/#link=${sessions.newLink()}${place}`;
    },
    close: () => closed(server),
  };
}
