create table value_lists (
  id integer generated always as identity primary key,
  account integer not null references accounts,
  name text not null,
  name_folded text not null,
  ordered boolean not null default false,
  -- The next index a label gets; indexes are never used twice.
  next_index integer not null default 1,
  unique (account, name_folded),
  unique (account, id)
);

create table value_list_labels (
  account integer not null,
  list integer not null,
  index integer not null check (index >= 1),
  label text not null,
  label_folded text not null,
  -- Where the label stands in the order given.
  position integer not null,
  primary key (list, index),
  unique (list, label_folded) deferrable initially immediate,
  foreign key (account, list) references value_lists (account, id) on delete cascade
);

create table fields (
  id integer generated always as identity primary key,
  account integer not null references accounts,
  type text not null check (type in
    ('email', 'phone', 'textField', 'textArea', 'numeric', 'date', 'singleSelectList', 'multipleSelectList')),
  name text not null,
  name_folded text not null,
  is_unicity boolean not null default false,
  is_mandatory boolean not null default false,
  is_criterion boolean not null default true,
  constraint_operator integer,
  constraint_value text,
  value_list integer,
  unique (account, name_folded),
  unique (account, id),
  foreign key (account, value_list) references value_lists (account, id),
  check ((type in ('singleSelectList', 'multipleSelectList')) = (value_list is not null))
);

create function count_definitions() returns trigger language plpgsql as $$
begin
  update accounts set definitions = definitions + 1 where id in (select account from changed);
  return null;
end $$;
create trigger value_lists_insert after insert on value_lists
  referencing new table as changed for each statement execute function count_definitions();
create trigger value_lists_update after update on value_lists
  referencing new table as changed for each statement execute function count_definitions();
create trigger value_lists_delete after delete on value_lists
  referencing old table as changed for each statement execute function count_definitions();
create trigger value_list_labels_insert after insert on value_list_labels
  referencing new table as changed for each statement execute function count_definitions();
create trigger value_list_labels_update after update on value_list_labels
  referencing new table as changed for each statement execute function count_definitions();
create trigger value_list_labels_delete after delete on value_list_labels
  referencing old table as changed for each statement execute function count_definitions();
create trigger fields_insert after insert on fields
  referencing new table as changed for each statement execute function count_definitions();
create trigger fields_update after update on fields
  referencing new table as changed for each statement execute function count_definitions();
create trigger fields_delete after delete on fields
  referencing old table as changed for each statement execute function count_definitions();

create table contacts (
  account integer not null references accounts,
  -- One counter for the installation; on the wire eight characters of base 36.
  id bigint generated always as identity,
  -- Values by field id; an empty value is absent. Lists hold indexes, dates ISO text in UTC.
  fields jsonb not null,
  -- The unicity values joined, as stored, and folded; the hash is the MD5 of the former.
  unicity text collate "C" not null,
  key text collate "C" not null check (length(key) <= 512),
  hash bytea not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account, id)
);
create unique index contacts_key on contacts (account, key);
-- Not unique: keys are, and a second unique index would make two conflicts of one.
create index contacts_hash on contacts (account, hash);

-- How many contacts an account has, spread over sixteen rows so that writers do not wait for each other.
create table contact_counts (
  account integer not null,
  shard smallint not null,
  n bigint not null,
  primary key (account, shard)
);

create function count_contacts() returns trigger language plpgsql as $$
begin
  insert into contact_counts as c (account, shard, n)
  select account, pg_backend_pid() % 16, case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed group by account
  on conflict (account, shard) do update set n = c.n + excluded.n;
  return null;
end $$;
create trigger contacts_inserted after insert on contacts
  referencing new table as changed for each statement execute function count_contacts();
create trigger contacts_deleted after delete on contacts
  referencing old table as changed for each statement execute function count_contacts();

create table red_list (
  account integer not null,
  channel text not null check (channel in ('mail', 'sms')),
  contact bigint not null,
  listed_at timestamptz(3) not null,
  origin smallint not null check (origin between 0 and 9),
  detail jsonb not null default '{}',
  primary key (account, channel, contact),
  foreign key (account, contact) references contacts (account, id) on delete cascade
);
create index red_list_listed_at on red_list (account, channel, listed_at, contact);

-- Why and when an entry was taken off; kept for good.
create table red_list_removals (
  id bigint generated always as identity primary key,
  account integer not null references accounts,
  channel text not null,
  contact bigint not null,
  api_key integer references api_keys,
  reason text not null,
  removed_at timestamptz(3) not null,
  entry jsonb not null
);
create index red_list_removals_contact on red_list_removals (account, contact);

-- Entries a person made whose contact was deleted: a keyed hash of the address brings them back.
create table red_list_memory (
  account integer not null references accounts,
  channel text not null,
  address_mac bytea not null,
  listed_at timestamptz(3) not null,
  origin smallint not null,
  detail jsonb not null,
  primary key (account, channel, address_mac)
);

create table bounce_flags (
  account integer not null,
  contact bigint not null,
  field integer not null references fields on delete cascade,
  code smallint not null check (code in (3, 4, 51, 52, 53, 54, 6)),
  flagged_at timestamptz(3) not null,
  reason text not null default '',
  primary key (account, contact, field),
  foreign key (account, contact) references contacts (account, id) on delete cascade
);
create index bounce_flags_flagged_at on bounce_flags (account, flagged_at);

-- Soft refusals since the last success of an address.
create table soft_bounces (
  account integer not null,
  contact bigint not null,
  field integer not null references fields on delete cascade,
  bounced_at timestamptz(3) not null,
  foreign key (account, contact) references contacts (account, id) on delete cascade
);
create index soft_bounces_contact on soft_bounces (account, contact, field, bounced_at);

create table segments (
  id integer generated always as identity primary key,
  account integer not null references accounts,
  type text not null check (type in ('static', 'dynamic')),
  name text not null,
  name_folded text not null,
  description text,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  is_test boolean not null default false,
  parent integer,
  criteria jsonb,
  -- Dynamic only: the cached count and when it was computed.
  counted integer not null default 0,
  counted_at timestamptz(3),
  unique (account, name_folded),
  unique (account, id),
  foreign key (account, parent) references segments (account, id),
  check (type = 'dynamic' or (parent is null and criteria is null))
);

create table segment_members (
  account integer not null,
  segment integer not null,
  contact bigint not null,
  primary key (segment, contact),
  foreign key (account, segment) references segments (account, id) on delete cascade,
  foreign key (account, contact) references contacts (account, id) on delete cascade
);
create index segment_members_contact on segment_members (account, contact);

create table segment_counts (
  segment integer not null,
  shard smallint not null,
  n bigint not null,
  primary key (segment, shard)
);

create function count_members() returns trigger language plpgsql as $$
begin
  insert into segment_counts as c (segment, shard, n)
  select segment, pg_backend_pid() % 16, case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed group by segment
  on conflict (segment, shard) do update set n = c.n + excluded.n;
  return null;
end $$;
create trigger segment_members_inserted after insert on segment_members
  referencing new table as changed for each statement execute function count_members();
create trigger segment_members_deleted after delete on segment_members
  referencing old table as changed for each statement execute function count_members();
