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
  -- The stamp of the first message; its last four digits are zero, and count the others.
  first_stamp uuid not null,
  -- Ascending. The place in it tells a message's stamp (`slice_stamp`) and its id (`slice_message_id`).
  contacts bigint[] not null check (cardinality(contacts) between 1 and 1024),
  not_before timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  claimed_by uuid,
  lease_until timestamptz(3),
  foreign key (account, action) references actions (account, id),
  unique (account, first_stamp)
);
create index message_slices_due on message_slices (lane, account, action, id) where claimed_by is null;
create index message_slices_action on message_slices (action);

-- Ids of messages in slices are below zero, so that they are no row's; `place` is from 0 to 1023.
create function slice_message_id(slice bigint, place bigint) returns bigint
  language sql immutable parallel safe
  return -(slice * 1024 + place);

create function slice_stamp(first_stamp uuid, place bigint) returns uuid
  language sql immutable parallel safe
  return overlay(first_stamp::text placing lpad(to_hex(place), 4, '0') from 33)::uuid;

-- The message of a stamp while it is in a slice; it may be recorded already.
create function sliced_message(of_account integer, of_stamp uuid)
  returns table (slice bigint, channel text, action integer, version integer, contact bigint, run uuid, stamp_time timestamptz)
  language sql stable parallel safe
begin atomic
  select s.id, s.channel, s.action, s.version, s.contacts[at.place + 1], s.run, s.stamp_time
  from (select ('x' || right(of_stamp::text, 4))::bit(16)::integer as place) as at
  join message_slices s on s.account = of_account and s.first_stamp = slice_stamp(of_stamp, 0)
  where at.place < cardinality(s.contacts);
end;

-- Beside the reference to the action, which names its account.
alter table messages drop constraint messages_account_fkey;
