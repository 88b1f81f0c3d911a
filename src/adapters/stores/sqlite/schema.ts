/** Version of the schema, kept in a file's `user_version`. */
export const SCHEMA_VERSION = 1

/** Creates the tables of an empty file. */
export const SCHEMA = `
  CREATE TABLE ledgers (
    name TEXT PRIMARY KEY,
    epoch INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    sum INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    ledger TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    version INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (ledger, seq)
  ) STRICT;

  CREATE TABLE blobs (digest TEXT PRIMARY KEY, sum INTEGER NOT NULL, body BLOB NOT NULL) STRICT;

  CREATE TABLE runs (run TEXT PRIMARY KEY, sum INTEGER NOT NULL, body TEXT NOT NULL) STRICT;

  CREATE TABLE requests (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    at INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    body TEXT NOT NULL,
    answer_sum INTEGER,
    answer TEXT
  ) STRICT;
  CREATE INDEX requests_open ON requests (position) WHERE answer IS NULL;

  CREATE TABLE receipts (
    position INTEGER PRIMARY KEY,
    tree TEXT NOT NULL,
    command TEXT NOT NULL,
    environment TEXT NOT NULL,
    at INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX receipts_key ON receipts (tree, command, environment);
`

/** Marks a database file as Longhaul's: "LHUL" in its header. */
export const APPLICATION_ID = 0x4c48554c
