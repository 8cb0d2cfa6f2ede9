-- What came of calls that a client gave an id of its own, so that none is done twice. A row without an outcome is a call
-- that runs, or that a daemon died over.
CREATE TABLE outcomes (
    client TEXT NOT NULL,
    request TEXT NOT NULL,
    -- A keyed hash of the tool and its arguments; the arguments are kept nowhere.
    call TEXT NOT NULL,
    -- Milliseconds since 1970.
    at INTEGER NOT NULL,
    -- JSON, without what pages said.
    outcome TEXT,
    PRIMARY KEY (client, request)
) STRICT;
