-- A campaign may choose between contents: runs of notifications do. Their audience may have the member "application":
-- contacts with a live subscription of it.
alter table sendings
  -- [{"version", "condition"}]: a contact has the first whose condition is true for it, else the version of the sending.
  add column versions jsonb,
  -- How often a condition could not be evaluated: it was false then.
  add column failed_conditions bigint not null default 0;
