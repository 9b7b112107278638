/** Rules on the tables of ARCHITECTURE.md: that of layers is the list by which imports are checked, that of rooms the folders. */

import { LAYERS } from './imports.ts';
import type { Breach, Source } from './source.ts';

/** Rows of three cells: a layer, what is in it, and what it may import. */
export function layerRowBreaches(architecture: string): readonly Breach[] {
  const rows = [...architecture.matchAll(/^\| `([\w/-]+)\/` \|.*\| ([^|`]*) \|$/gm)];
  const written = new Map(rows.map(([, layer = '', imports = '']) => [layer, imports]));
  const unknown = [...written.keys()].filter((layer) => layer !== 'app' && !Object.hasOwn(LAYERS, layer));
  const differing = Object.entries(LAYERS).filter(([layer, targets]) => {
    const named = written.get(layer)?.split(/, (?:and )?/) ?? [];
    return !sameNames(named.filter(isLayer), targets.filter(isLayer)) || !written.has(layer);
  });
  return [
    ...unknown.map((layer) => `ARCHITECTURE.md: ${layer} is no layer of LAYERS`),
    ...differing.map(([layer, targets]) => `ARCHITECTURE.md: ${layer} may import ${targets.join(', ')}`),
    ...(written.get('app') === 'all' ? [] : ['ARCHITECTURE.md: app may import all']),
  ];
}

function isLayer(name: string): boolean {
  return Object.hasOwn(LAYERS, name);
}

function sameNames(one: readonly string[], other: readonly string[]): boolean {
  return one.toSorted().join() === other.toSorted().join();
}

export function roomBreaches(architecture: string, sources: readonly Source[]): readonly Breach[] {
  const written = writtenRooms(architecture);
  const folders = sources.map(({ path }) => path.split('/').slice(0, -1)).filter(([root]) => root === 'src');
  const rooms = new Set(folders.flatMap(([, layer, room]) => (room === undefined ? [] : `${layer}/${room}`)));
  const isNamed = (room: string) =>
    written.some(({ layer, names }) => names.some((name) => room === `${layer}/${name}`));
  const isThere = (layer: string, name: string) =>
    folders.some(([, of, ...inside]) => of === layer && inside.includes(name));
  return [
    ...[...rooms].filter((room) => !isNamed(room)).map((room) => `src/${room}: ARCHITECTURE.md does not name it`),
    ...written.flatMap(({ layer, names }) =>
      names
        .filter((name) => !isThere(layer, name))
        .map((name) => `ARCHITECTURE.md: there is no ${name}/ in src/${layer}`),
    ),
  ];
}

interface RoomRow {
  readonly layer: string;
  readonly names: readonly string[];
}

/** Rows of two cells: a layer, and what lies in it. Folders end in a slash. */
function writtenRooms(architecture: string): readonly RoomRow[] {
  return [...architecture.matchAll(/^\| `([\w-]+)\/` \| ([^|]*) \|$/gm)].map(([, layer = '', cell = '']) => ({
    layer,
    names: [...cell.matchAll(/`([\w-]+)\/`/g)].map(([, name = '']) => name),
  }));
}
