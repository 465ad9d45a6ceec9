-- What people ask others to let be sent. One waits for each object at a time.
create table approvals (
  id uuid primary key,
  account integer not null references accounts (id),
  kind text not null check (kind in ('action', 'rcs', 'notification', 'workflow')),
  object integer not null,
  -- The object's name when it was asked for.
  name text not null,
  state text not null default 'waiting' check (state in ('waiting', 'approved', 'refused', 'stale')),
  -- SHA-256 of the definition, of the criteria of its segments, and of the content that is compiled.
  version bytea not null,
  -- Contacts of its segments when it was asked for; null where it names none.
  audience bigint,
  comment text,
  -- {type, id, name}
  asked_by jsonb not null,
  asked_at timestamp(3) with time zone not null,
  decided_by jsonb,
  decided_at timestamp(3) with time zone,
  decision_comment text,
  -- Of an action that is compiled after the decision.
  attempt integer,
  -- What an approved one came to.
  outcome text check (outcome in ('running', 'done', 'failed')),
  check ((state in ('approved', 'refused')) = (decided_by is not null and decided_at is not null)),
  check ((state = 'approved') = (outcome is not null))
);
create unique index approvals_waiting on approvals (account, kind, object) where state = 'waiting';
create index approvals_newest on approvals (account, id desc);
create index approvals_running on approvals (object, attempt) where outcome = 'running';

-- A compilation ends in the transaction that moves its action on, whoever does that.
create function settle_approval() returns trigger language plpgsql as $$
begin
  update approvals set outcome = case when new.state = 20 then 'failed' else 'done' end
  where outcome = 'running' and object = new.id and attempt = new.attempt;
  return null;
end
$$;
create trigger settle_approval after update of state on actions
  for each row when (old.state = 40 and new.state <> 40) execute function settle_approval();
