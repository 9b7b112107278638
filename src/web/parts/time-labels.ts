/** Labels of a time axis in UTC: with the year where the span needs it, and nothing said twice in a row. */

const DAY = 86_400;
const YEAR = 365 * DAY;

/** One label for each place of the axis, in seconds UTC; `step` is the distance between two of them. */
export function timeLabels(places: readonly number[], step: number): readonly string[] {
  const years = new Set(places.map(yearOf));
  let before = '';
  return places.map((seconds) => {
    const { year, date, time } = parts(seconds, step);
    if (step >= YEAR * 0.9) return year;
    const below = step >= DAY ? year : years.size > 1 ? `${date} ${year}` : date;
    const isSaid = below === before;
    before = below;
    if (step >= DAY) return isSaid ? date : `${date}\n${year}`;
    return isSaid ? time : `${time}\n${below}`;
  });
}

function yearOf(seconds: number): number {
  return new Date(seconds * 1000).getUTCFullYear();
}

function parts(seconds: number, step: number): { readonly year: string; readonly date: string; readonly time: string } {
  const at = new Date(seconds * 1000);
  const text = at.toUTCString();
  const time = step < 1 ? at.toISOString().slice(11, 23) : text.slice(17, step < 60 ? 25 : 22);
  return { year: text.slice(12, 16), date: text.slice(5, 11), time };
}
