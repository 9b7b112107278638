/** Commands: chosen, confirmed, carried out once, and shown as asked, heard and done with the state that proves it. */

import type { CommandOffer, CommandSubjects, CommandsPanel, Welcome } from '../../pages/panels.ts';
import { count } from '../../words/numbers.ts';
import { CommandCard, Steps } from './commands/command-card.tsx';
import { Filter } from './shown/filter.tsx';
import { addressOf, go, type Route } from './shown/route.ts';
import { Card } from './shown/shown.tsx';

interface CommandsParts {
  readonly panel: CommandsPanel;
  readonly route: Route;
  readonly welcome: Welcome;
}

export function CommandsPage({ panel: { offers, entries, subjects }, route, welcome }: CommandsParts) {
  const groups = [...new Set(offers.map(({ group }) => group))];
  return (
    <>
      {subjects !== undefined && <Subjects subjects={subjects} route={route} />}
      {groups.map((group) => (
        <section key={group} class="group" aria-label={group}>
          {groups.length > 1 && <h2>{headingOf(group, offers)}</h2>}
          <div class="grid commands">
            {offers
              .filter((offer) => offer.group === group)
              .map((offer) => (
                <CommandCard key={`${offer.name} ${offer.of}`} offer={offer} entries={entries} welcome={welcome} />
              ))}
          </div>
        </section>
      ))}
      <Card title="Commands of this dashboard">
        {entries.length === 0 && (
          <p class="soft">
            None since the start.{' '}
            {welcome.kind !== 'sandbox' && 'What came over the control socket stands in the record.'}
          </p>
        )}
        <ol class="entries">
          {entries.map((entry) => (
            <li key={entry.key}>
              <b>{entry.title}</b> {[entry.about, entry.reason].filter((text) => text !== '').join(' · ')}
              <Steps askedAt={undefined} entry={entry} />
            </li>
          ))}
        </ol>
      </Card>
    </>
  );
}

/** The heading of a group: the name of the thing that its commands are for. */
function headingOf(group: string, offers: readonly CommandOffer[]): string {
  const about = offers.find((offer) => offer.group === group)?.about ?? '';
  return about === '' ? group : `${group}: ${about}`;
}

interface SubjectsParts {
  readonly subjects: CommandSubjects;
  readonly route: Route;
}

function Subjects({ subjects: { noun, chosen, options, total }, route }: SubjectsParts) {
  const { find = '' } = route;
  return (
    <Card title={`Which ${noun}`} id="subjects" more={`${count(options.length)} of ${count(total)}`}>
      <Filter route={{ ...route, which: '' }} choices={[]} />
      <div class="ask">
        <label>
          {noun}
          <select
            value={chosen}
            onChange={({ currentTarget }) => go({ page: 'commands', id: currentTarget.value, find })}
          >
            <option value="">none chosen</option>
            {options.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </div>
      {chosen === '' ? (
        <p class="soft">Choose one to suspend it, to let it go in play, to settle it. All else is below.</p>
      ) : (
        <p class="soft">
          <a href={addressOf({ page: 'market', id: chosen })}>Its page</a>
        </p>
      )}
    </Card>
  );
}
