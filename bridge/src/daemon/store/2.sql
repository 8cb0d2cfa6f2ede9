-- A client proves with a secret that it is the one it was before; only its hash is kept. Null: admitted before it asked,
-- which only a sandbox can do.
ALTER TABLE clients ADD COLUMN secret_hash TEXT;
UPDATE clients SET admitted = 0;

-- What was done, append-only: each row's hash covers its own words and the hash before it. A call has a row `begin` and,
-- once it is over, a row `end`; `deleted` stands where rows were deleted.
DROP TABLE audit;
CREATE TABLE audit_log (
    seq INTEGER PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('begin', 'end', 'deleted')),
    -- The call's number; that of the last one for a tombstone.
    call INTEGER NOT NULL,
    -- JSON.
    body TEXT NOT NULL,
    hash TEXT NOT NULL
) STRICT;
CREATE INDEX audit_by_call ON audit_log (kind, call);
CREATE TRIGGER audit_log_stays BEFORE UPDATE ON audit_log
BEGIN SELECT raise(ABORT, 'the audit is append-only'); END;

-- The public key of a profile, and whether a person confirmed it.
ALTER TABLE targets ADD COLUMN key TEXT NOT NULL DEFAULT '';
ALTER TABLE targets ADD COLUMN paired INTEGER NOT NULL DEFAULT 0;
