-- Marketing pressure: how often one contact may be written to, over all channels.

create table pressure_topics (
  id uuid primary key,
  account integer not null references accounts,
  -- What buckets of counters hold in place of the id.
  number smallint not null check (number between 1 and 8191),
  label text not null,
  label_folded text not null,
  description text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  created_by text not null,
  modified_by text not null,
  -- Its number stays taken as long as counters may hold it.
  deleted_at timestamptz(3),
  unique (account, number)
);
create unique index pressure_topics_label on pressure_topics (account, label_folded) where deleted_at is null;

create table pressure_rules (
  id uuid primary key,
  account integer not null references accounts,
  label text not null,
  label_folded text not null,
  active boolean not null,
  predicate jsonb not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  created_by text not null,
  modified_by text not null,
  unique (account, label_folded)
);

-- What was sent to a contact in the last 92 days: one number a quarter of an hour, channel, purpose and topic, oldest
-- first. Of its 52 bits 22 are the quarter of an hour since 1970, 2 the channel, 1 the purpose, 13 the topic, 14 the count.
create table pressure_counters (
  account integer not null,
  contact bigint not null,
  buckets bigint[] not null default '{}',
  primary key (account, contact)
) with (fillfactor = 70);

-- Who writes counters locks the contact: so none is made for one that is gone, without a foreign key that asks of each row.
create function forget_pressure() returns trigger language plpgsql as $$
begin
  delete from pressure_counters p using gone g where p.account = g.account and p.contact = g.id;
  return null;
end $$;
create trigger contacts_pressure after delete on contacts
  referencing old table as gone for each statement execute function forget_pressure();

-- Buckets with others added or, where their count is below zero, taken off: `changes` are numbers of a bucket without its
-- count, `counts` what is added. Those before the quarter of an hour `oldest` fall off.
create function pressure_changed(buckets bigint[], changes bigint[], counts integer[], oldest bigint) returns bigint[]
  language sql immutable parallel safe
return (
  select coalesce(array_agg((key << 14) | least(n, 16383) order by key), '{}')
  from (
    select key, sum(n)::bigint as n
    from (
      select b >> 14 as key, b & 16383 as n from unnest(buckets) as k (b)
      union all
      select key, n from unnest(changes, counts) as c (key, n)) as parts
    where key >= oldest << 16 group by key) as whole
  where n > 0);

-- A message that pressure lets wait: by which rule and until when; null while it does not.
alter table messages add column postponement jsonb;
alter table messages add column first_postponed_at timestamptz(3);
create index messages_postponed on messages (account, sending) where postponement is not null;
