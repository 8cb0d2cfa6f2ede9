-- The first ref of a tab that is free for certain: numbers below it may have been told. Tab ids are never used again.
CREATE TABLE tab_refs (
    target TEXT NOT NULL,
    tab TEXT NOT NULL,
    reserved INTEGER NOT NULL,
    PRIMARY KEY (target, tab)
) STRICT;
