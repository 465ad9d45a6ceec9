-- Work that goes on after its request is answered, in committed batches.
create table jobs (
  id uuid primary key,
  account integer not null references accounts,
  type text not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed')),
  created_at timestamptz(3) not null,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  done bigint not null default 0,
  -- Null until it is known.
  total bigint,
  -- What was asked for; emptied at the end, like the position.
  payload json,
  -- Where the next batch begins; null before the first.
  position json,
  result json,
  error json
);
create index jobs_open on jobs (created_at) where state in ('queued', 'running');
create index jobs_ended on jobs (ended_at);

-- The contacts a job began with, until it ends.
create table job_contacts (
  job uuid not null references jobs on delete cascade,
  contact bigint not null,
  -- What the result says of it.
  shown json,
  primary key (job, contact)
);

-- Who wants to be told of what: webhooks and workflows, each by a name of its own.
create table notice_listeners (
  account integer not null references accounts,
  owner text not null,
  type text not null,
  primary key (account, owner, type)
);

-- The types somebody listens to. It is read with the definitions, so that a write nobody listens to costs nothing more.
alter table accounts add listening text[] not null default '{}';

create function count_listeners() returns trigger language plpgsql as $$
begin
  update accounts a set listening = l.types, definitions = a.definitions + 1
  from (
    select c.account, array(
      select distinct type from notice_listeners n where n.account = c.account order by type) as types
    from (select distinct account from changed) c) l
  where a.id = l.account and a.listening <> l.types;
  return null;
end $$;
create trigger notice_listeners_insert after insert on notice_listeners
  referencing new table as changed for each statement execute function count_listeners();
create trigger notice_listeners_delete after delete on notice_listeners
  referencing old table as changed for each statement execute function count_listeners();

-- Changes of contacts and segments, for those who listen; kept 90 days. They hold ids, never values.
create table notices (
  -- uuid version 7: its time is that of the notice, by the database's clock, and ids sort as notices do.
  id uuid primary key default uuidv7(),
  account integer not null,
  type text collate "C" not null,
  contact bigint,
  data jsonb not null,
  -- Of the workflow run that caused the change, if one did: see setCause.
  stamp jsonb default nullif(nullif(current_setting('stentor.cause', true), '')::jsonb -> 'stamp', 'null'),
  depth integer not null default coalesce((nullif(current_setting('stentor.cause', true), '')::jsonb ->> 'depth')::integer, 0)
);
create index notices_account on notices (account, id);
create index notices_contact on notices (account, contact, id);
