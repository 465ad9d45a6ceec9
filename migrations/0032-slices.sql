-- A campaign without a pace of its own waits as slices of its audience, not as a row for each message: a slice is claimed
-- and ended as one. What of it is put off, given back or held becomes rows of `messages`, under the same ids and stamps.

create table message_slices (
  id bigint primary key generated always as identity,
  account integer not null,
  lane smallint not null,
  channel text not null check (channel in ('email', 'sms')),
  action integer not null,
  version integer not null references content_versions,
  run uuid not null,
  stamp_time timestamptz(3) not null,
  -- What the stamps begin with, and then twelve zeros: in their stead each has digits that nobody can tell who has
  -- another message of the slice.
  stamp_prefix uuid not null default overlay(uuidv7()::text placing '000000000000' from 25)::uuid,
  seed uuid not null default gen_random_uuid(),
  -- Ascending. The place in it tells a message's stamp (`slice_stamp`) and its id (`slice_message_id`).
  contacts bigint[] not null check (cardinality(contacts) between 1 and 1024),
  not_before timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  claimed_by uuid,
  lease_until timestamptz(3),
  foreign key (account, action) references actions (account, id),
  unique (account, stamp_prefix)
);
create index message_slices_due on message_slices (lane, account, action, id) where claimed_by is null;
create index message_slices_action on message_slices (action);

-- Ids of messages in slices are below zero, so that they are no row's; `place` is from 0 to 1023.
create function slice_message_id(slice bigint, place bigint) returns bigint
  language sql immutable parallel safe
  return -(slice * 1024 + place);

create function slice_stamp(stamp_prefix uuid, seed uuid, place bigint) returns uuid
  language sql immutable parallel safe
  return overlay(stamp_prefix::text placing left(md5(seed::text || place), 12) from 25)::uuid;

-- The message of a stamp while it is in a slice; it may be recorded already.
create function sliced_message(of_account integer, of_stamp uuid)
  returns table (slice bigint, channel text, action integer, version integer, contact bigint, run uuid, stamp_time timestamptz)
  language sql stable parallel safe
begin atomic
  select s.id, s.channel, s.action, s.version, c.contact, s.run, s.stamp_time
  from message_slices s cross join lateral unnest(s.contacts) with ordinality as c (contact, place)
  where s.account = of_account and s.stamp_prefix = overlay(of_stamp::text placing '000000000000' from 25)::uuid
    and slice_stamp(s.stamp_prefix, s.seed, c.place - 1) = of_stamp;
end;

-- Beside the reference to the action, which names its account.
alter table messages drop constraint messages_account_fkey;

-- Rows come in the order of that time, and are looked for once a day: what no longer needs to be kept.
drop index sent_messages_ended_at;
create index sent_messages_ended_at on sent_messages using brin (ended_at);
