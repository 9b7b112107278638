/** One name for a market out of its event's and its own, which often repeat each other. */

/** `Northgate v Southmoor` and `Northgate v Southmoor: match odds` are one name, the longer. */
export function marketLabel(market: { readonly eventName: string; readonly name: string }): string {
  const { eventName, name } = market;
  if (eventName === '' || name === '') return eventName + name;
  for (let from = 0; from < eventName.length - 2; from += 1) {
    const startsWord = from === 0 || eventName[from - 1] === ' ';
    if (startsWord && name.startsWith(eventName.slice(from))) return eventName.slice(0, from) + name;
  }
  return `${eventName} · ${name}`;
}
