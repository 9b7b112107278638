/** One name for a market out of its event's, its own, its venue and its start, which often repeat each other. */

interface NamedMarket {
  readonly eventName: string;
  readonly name: string;
  /** The place; absent if nobody says it. */
  readonly venue?: string | undefined;
  /** Scheduled start, ms UTC. */
  readonly startsAt?: number | undefined;
}

/**
 * `Northgate v Southmoor` and `Northgate v Southmoor: match odds` are one name, the longer. A market with a venue, which is a race, is named
 * by venue and start as well (UTC) where its event's name does not have them: `Hamilton 14:05 14th Jun · 1m Hcap`.
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
  const time =
    startsAt === undefined || /\d:\d\d/.test(eventName) ? '' : new Date(startsAt).toISOString().slice(11, 16);
  return venueFirst(eventName, venue, time)
    .filter((part) => part !== '')
    .join(' ');
}

/** An event's name may begin with the venue, or with a few letters of it: `Ham 14th Jun` of Hamilton. */
function venueFirst(eventName: string, venue: string, time: string): readonly string[] {
  const [first = '', ...rest] = eventName.split(' ');
  if (first === venue.split(' ')[0]) return [first, time, ...rest];
  if (first.length >= ABBREVIATION_MIN && venue.startsWith(first)) return [venue, time, ...rest];
  if (eventName.includes(venue)) return [eventName, time];
  // Where a recording has no name of the event, its id stands there.
  return [venue, time, /^\d*$/.test(eventName) ? '' : eventName];
}

const ABBREVIATION_MIN = 3;
