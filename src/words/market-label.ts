/** One name for a market out of its event's, its own, its venue and its start, which often repeat each other. */

interface NamedMarket {
  readonly eventName: string;
  readonly name: string;
  /** Where it takes place; absent where nobody says. */
  readonly venue?: string | undefined;
  /** Scheduled start, ms UTC. */
  readonly startsAt?: number | undefined;
}

/**
 * `Northgate v Southmoor` and `Northgate v Southmoor: match odds` are one name, the longer. A market with a venue, which is a race, is named
 * by venue and start as well (UTC) where its event's name does not have them: `Hamilton 14th Jun 14:05 · 1m Hcap`.
 */
export function marketLabel(market: NamedMarket): string {
  const { name } = market;
  const eventName = placed(market);
  if (eventName === '' || name === '') return eventName + name;
  for (let from = 0; from < eventName.length - 2; from += 1) {
    const startsWord = from === 0 || eventName[from - 1] === ' ';
    if (startsWord && name.startsWith(eventName.slice(from))) return eventName.slice(0, from) + name;
  }
  return `${eventName} · ${name}`;
}

function placed({ eventName, venue, startsAt }: NamedMarket): string {
  if (venue === undefined) return eventName;
  const named = withVenue(eventName, venue);
  if (startsAt === undefined || /\d:\d\d/.test(named)) return named;
  return `${named} ${new Date(startsAt).toISOString().slice(11, 16)}`;
}

/** An event's name may begin with the venue, or with a few letters of it: `Ham 14th Jun` of Hamilton. */
function withVenue(eventName: string, venue: string): string {
  const [first = ''] = eventName.split(' ');
  const [short = ''] = venue.split(' ');
  if (eventName.includes(venue) || first === short) return eventName;
  // Where a recording has no name of the event, its id stands there.
  if (/^\d*$/.test(eventName)) return venue;
  if (first.length >= ABBREVIATION_MIN && venue.startsWith(first)) return venue + eventName.slice(first.length);
  return `${venue} ${eventName}`;
}

const ABBREVIATION_MIN = 3;
