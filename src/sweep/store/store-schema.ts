/** The tables of trials.sqlite. */

/** SQLite's `application_id`: the bytes "ODSW". */
export const APPLICATION_ID = 0x4f445357;
/** SQLite's `user_version`; raised when an older reader would misread the tables. */
export const STORE_FORMAT = 2;

/** Rows are never removed: what one configuration computed, another one finds. `computed` counts how often a row was computed. `opening`: each look at what was held out. */
export const SCHEMA = `
PRAGMA application_id = ${APPLICATION_ID};
PRAGMA user_version = ${STORE_FORMAT};
CREATE TABLE configuration (id INTEGER PRIMARY KEY, description TEXT NOT NULL UNIQUE, begun_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL);
CREATE TABLE trial (configuration INTEGER NOT NULL, number INTEGER NOT NULL, assignment TEXT NOT NULL,
  state TEXT NOT NULL, keys BLOB NOT NULL, PRIMARY KEY (configuration, number));
CREATE TABLE unit (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, computed INTEGER NOT NULL DEFAULT 1,
  elapsed_ms INTEGER NOT NULL, row BLOB NOT NULL);
CREATE TABLE failure (key BLOB PRIMARY KEY, error TEXT NOT NULL, deaths INTEGER NOT NULL, aside INTEGER NOT NULL)
  WITHOUT ROWID;
CREATE TABLE opening (id INTEGER PRIMARY KEY, configuration INTEGER NOT NULL, trial INTEGER NOT NULL,
  held_from INTEGER NOT NULL, opened_at INTEGER NOT NULL);
`;
