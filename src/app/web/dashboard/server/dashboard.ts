/** Serves the dashboard of a run, a sandbox or a list of runs over HTTP. */

import { closed, listening, openWarning, portOf, shownHost } from '../../http/listening.ts';
import { Answers, type DashboardParts } from './answers.ts';
import { Sessions } from './sessions.ts';

export interface Dashboard {
  /** Its address without a secret. */
  readonly url: string;
  /** Why others may reach it; undefined on loopback. */
  readonly warning: string | undefined;
  /** A new link that opens it once. */
  link(): string;
  close(): Promise<void>;
}

const WHAT = 'the dashboard';

/** @throws CliError PORT_IN_USE, ADDRESS_NOT_AVAILABLE */
export async function openDashboard(parts: DashboardParts): Promise<Dashboard> {
  const { port: wanted, host, hosts, now, memory, setting } = parts;
  const sessions = new Sessions(now, memory);
  const answers = new Answers(parts, sessions);
  const server = await listening({ port: wanted, host, what: WHAT, setting }, (request, response) =>
    answers.answer(request, response),
  );
  const port = portOf(server);
  answers.listensOn(port);
  const url = `http://${hosts[0] ?? shownHost(host)}:${port}`;
  return {
    url,
    warning: openWarning({ host, what: WHAT }),
    link: () => `${url}/#link=${sessions.newLink()}`,
    close: () => {
      parts.source.close?.();
      answers.close();
      return closed(server);
    },
  };
}
