/** The tables of trials.sqlite. */

/** SQLite's `application_id`: the bytes "ODSW". */
export const APPLICATION_ID = 0x4f445357;
/** SQLite's `user_version`; raised when an older reader would misread the tables. */
export const STORE_FORMAT = 3;

const KEEP_EARLIER = `BEGIN INSERT INTO earlier SELECT old.configuration, old.fold, old.assignment WHERE NOT EXISTS (SELECT 1
    FROM earlier WHERE configuration = old.configuration AND fold = old.fold AND assignment = old.assignment); END;`;

/**
 * Rows are never removed: what one configuration computed, another one finds. `computed` counts how often a row was computed. `opening`:
 * each look at what was held out. `fold` of a trial is 0 for the search over all events, else the number of the fold whose search
 * proposed it. `earlier`: trials that a search which learns proposed before something changed, and proposes no more; they were tried all
 * the same.
 */
export const SCHEMA = `
PRAGMA application_id = ${APPLICATION_ID};
PRAGMA user_version = ${STORE_FORMAT};
CREATE TABLE configuration (id INTEGER PRIMARY KEY, description TEXT NOT NULL UNIQUE, begun_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL);
CREATE TABLE trial (configuration INTEGER NOT NULL, number INTEGER NOT NULL, assignment TEXT NOT NULL,
  state TEXT NOT NULL, keys BLOB NOT NULL, fold INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (configuration, number));
CREATE TABLE fold (configuration INTEGER NOT NULL, fold INTEGER NOT NULL, begins_at INTEGER NOT NULL, ends_at INTEGER NOT NULL,
  inside INTEGER NOT NULL, outside INTEGER NOT NULL, left_out INTEGER NOT NULL, searched INTEGER NOT NULL, trial INTEGER,
  keys BLOB NOT NULL, PRIMARY KEY (configuration, fold)) WITHOUT ROWID;
CREATE TABLE earlier (configuration INTEGER NOT NULL, fold INTEGER NOT NULL, assignment TEXT NOT NULL,
  PRIMARY KEY (configuration, fold, assignment)) WITHOUT ROWID;
CREATE TRIGGER proposed_otherwise BEFORE UPDATE OF assignment, fold ON trial
  WHEN old.assignment <> new.assignment OR old.fold <> new.fold
  ${KEEP_EARLIER}
CREATE TRIGGER proposed_no_more BEFORE DELETE ON trial
  ${KEEP_EARLIER}
CREATE TABLE unit (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, computed INTEGER NOT NULL DEFAULT 1,
  elapsed_ms INTEGER NOT NULL, row BLOB NOT NULL);
CREATE TABLE failure (key BLOB PRIMARY KEY, error TEXT NOT NULL, deaths INTEGER NOT NULL, aside INTEGER NOT NULL)
  WITHOUT ROWID;
CREATE TABLE opening (id INTEGER PRIMARY KEY, configuration INTEGER NOT NULL, trial INTEGER NOT NULL,
  held_from INTEGER NOT NULL, opened_at INTEGER NOT NULL);
`;
