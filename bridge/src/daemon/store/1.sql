CREATE TABLE clients (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    admitted INTEGER NOT NULL
) STRICT;

CREATE TABLE grants (
    subject TEXT NOT NULL,
    action TEXT NOT NULL,
    site TEXT NOT NULL,
    decision TEXT NOT NULL CHECK (decision IN ('off', 'ask', 'allow')),
    PRIMARY KEY (subject, action, site)
) STRICT;

CREATE TABLE targets (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

-- Written before a browser opens anything for a session; ended ones are kept so that a second stop knows them.
CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    client TEXT NOT NULL,
    target TEXT NOT NULL,
    label TEXT,
    placement TEXT NOT NULL,
    -- Quiet time in milliseconds; null: the session hangs on a connection.
    lease_ms INTEGER,
    -- Milliseconds since 1970.
    last_call INTEGER NOT NULL,
    live INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_by_call ON sessions (live, last_call);

CREATE TABLE settings (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;

CREATE TABLE audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- Milliseconds since 1970.
    at INTEGER NOT NULL,
    client TEXT NOT NULL,
    tool TEXT NOT NULL,
    target TEXT,
    session TEXT,
    site TEXT,
    decision TEXT NOT NULL,
    -- Null while it runs, 'ok' or an error code after.
    code TEXT,
    effect TEXT,
    ms INTEGER
) STRICT;
