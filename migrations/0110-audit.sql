-- Who wrote what, when and from where. A row is written in the transaction of what it tells, and never changed.
create table audit (
  id bigint generated always as identity primary key,
  -- Null: the installation's.
  account integer references accounts,
  at timestamptz(3) not null,
  actor_type text collate "C" not null check (actor_type in ('person', 'key', 'system', 'command')),
  actor_id text collate "C",
  actor_name text,
  -- Where the request came from, and its id; null for what did not come over HTTP.
  address text collate "C",
  request text,
  -- Method and path template; of the command line its words.
  operation text not null,
  object_type text collate "C",
  object_id text collate "C",
  object_name text,
  -- By pointer (RFC 6901), in order: the value before and the one after. Secrets and addresses are masked.
  changes json not null default '{}' check (octet_length(changes::text) <= 16384),
  -- Changes that did not fit.
  omitted integer not null default 0,
  outcome text collate "C" not null check (outcome in ('done', 'refused')),
  -- The kind of problem that refused it.
  problem text,
  check ((outcome = 'refused') = (problem is not null))
);
create index audit_account on audit (account, id);
create index audit_object on audit (account, object_type, object_id, id);
create index audit_actor on audit (account, actor_type, actor_id, id);
create index audit_at on audit (at);

-- Rows go when they are older than the retention that their deletion names, and none within 30 days.
create function keep_audit() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.at < nullif(current_setting('stentor.audit_before', true), '')::timestamptz
    and old.at < now() - interval '30 days' then
    return old;
  end if;
  raise 'rows of the audit are not changed' using errcode = 'restrict_violation';
end
$$;
create trigger audit_kept before update or delete on audit for each row execute function keep_audit();

create function refuse_truncation() returns trigger language plpgsql as $$
begin
  raise 'rows of the audit are not changed' using errcode = 'restrict_violation';
end
$$;
create trigger audit_kept_whole before truncate on audit for each statement execute function refuse_truncation();
