/**
 * Linked markets: the win prices of a race say what its place prices ought to be. Back to be placed what the place
 * market offers longer than that, lay it to win against it, and level both markets before the off.
 */
import { back, defineStrategy, greenUp, lay, type MarketView, param } from 'oddsmith';

/** Chances to win, from the middle of the best prices, scaled to add up to 1; undefined where a price is missing. */
function chancesOf(win: MarketView): ReadonlyMap<string, number> | undefined {
  const runners = win.outcomes.filter(({ status }) => status === 'Active');
  const rough = runners.map((runner) => {
    const [toBack, toLay] = [runner.bestPrice('Against'), runner.bestPrice('For')];
    return toBack === undefined || toLay === undefined ? Number.NaN : (1 / toBack + 1 / toLay) / 2;
  });
  const total = rough.reduce((sum, chance) => sum + chance, 0);
  if (Number.isNaN(total)) return undefined;
  return new Map(runners.map(({ title }, at) => [title, (rough[at] ?? 0) / total]));
}

/** Harville: who comes next is drawn from those who are left, by their chances to win. */
function placedChance(chances: ReadonlyMap<string, number>, title: string, places: number, left = 1): number {
  if (places === 0) return 0;
  const own = (chances.get(title) ?? 0) / left;
  const others = [...chances].filter(([other]) => other !== title);
  return others.reduce((sum, [other, chance]) => {
    const rest = new Map([...chances].filter(([name]) => name !== other));
    return places === 1 ? sum : sum + (chance / left) * placedChance(rest, title, places - 1, left - chance);
  }, own);
}

export default defineStrategy({
  name: 'win-and-place',
  params: {
    stake: param.stake({ default: 10, about: 'on the place; the win is laid for half of it' }),
    edge: param.number({ default: 0.06, min: 0, about: 'how much longer than it ought to be' }),
    longest: param.price({ default: 6, about: 'the win is laid at no longer price' }),
    from: param.duration({ default: '15m', about: 'first entry before the off' }),
    until: param.duration({ default: '2m', about: 'level both so long before the off' }),
  },
  watches: ({ marketTypeId }) => marketTypeId === 'WIN' || marketTypeId === 'PLACE',

  decide({ market: place, orders, position, linked, params, now, plot }) {
    const win = linked.find(({ market }) => market.marketTypeId === 'WIN');
    if (place.marketTypeId !== 'PLACE' || win === undefined) return [];
    if (!place.tradable || !win.market.tradable || place.inPlay || orders.length + win.orders.length > 0) return [];
    const left = (place.expectedStartTime ?? Number.POSITIVE_INFINITY) - now;
    if (left <= params.until)
      return [...greenUp(place, position, { note: 'out' }), ...greenUp(win.market, win.position, { note: 'out' })];
    const chances = left > params.from || !position.isFlat ? undefined : chancesOf(win.market);
    if (chances === undefined) return [];

    for (const runner of place.outcomes) {
      const rival = win.market.outcomes.find(({ title }) => title === runner.title);
      const [offered, toLay] = [runner.bestPrice('Against'), rival?.bestPrice('For')];
      if (rival === undefined || offered === undefined || toLay === undefined || toLay > params.longest) continue;
      const fair = 1 / placedChance(chances, runner.title, place.winnersMax);
      plot({ [`fair ${runner.title}`]: fair });
      if (offered < fair * (1 + params.edge)) continue;
      const note = `placed at ${offered}, fair ${fair.toFixed(2)}`;
      const how = { matchBehavior: 'CancelUnmatched', note } as const;
      return [back(runner, { stake: params.stake, ...how }), lay(rival, { stake: params.stake / 2, ...how })];
    }
    return [];
  },
});
