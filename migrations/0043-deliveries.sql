-- A message may be several deliveries, one a device, may have something follow its end, and may hold a place in counters
-- of others. Channels that need none of it write nothing of it.

-- What became of the deliveries that ended while others are left: {"0": "accepted", "2": "refused"}.
alter table messages add column deliveries jsonb;
-- Its gateway takes it once however often it is sent: with its outcome unknown it is asked again, and never held.
alter table messages add column is_idempotent boolean not null default false;
alter table message_slices add column is_idempotent boolean not null default false;

-- The places it holds, by kind: {"pressure": "the bucket"}; of a slice one bucket a kind, and a bit for each place that
-- holds one, in hexadecimal digits: {"pressure": {"key": "...", "places": "ff03"}}. Null: not decided.
alter table messages add column reservations jsonb;
alter table message_slices add column reservations jsonb;

-- The keys that one place of a slice holds, by kind.
create function place_reservations(reservations jsonb, place integer) returns jsonb
  language sql immutable strict parallel safe
return (
  select coalesce(jsonb_object_agg(kind, held -> 'key'), '{}')
  from (
    select kind, held, decode(held ->> 'places', 'hex') as places from jsonb_each(reservations) as e (kind, held)) k
  where place < 8 * octet_length(places) and get_bit(places, place) = 1);

-- A message that stands in for one that could not be delivered: it has the stamp of that one.
alter table messages drop constraint messages_kind_check;
alter table messages add constraint messages_kind_check check (kind in ('message', 'campaign', 'test', 'copy', 'fallback'));
drop index messages_stamp;
create unique index messages_stamp on messages (account, stamp) where kind not in ('copy', 'fallback');
create unique index messages_fallback on messages (account, stamp) where kind = 'fallback';
-- What became of it: {"channel", "version", "address", "outcome", "at"}.
alter table sent_messages add column fallback jsonb;

-- What may follow the end of a message, such as to revoke it, or to send it otherwise.
create table followups (
  account integer not null references accounts,
  stamp uuid not null,
  kind text not null,
  -- When there is something to do; null: nothing more.
  due timestamptz(3),
  -- A word of its kind; each step goes from one to another once.
  state text not null default 'pending',
  payload jsonb not null default '{}',
  created_at timestamptz(3) not null default now(),
  lease_until timestamptz(3),
  primary key (account, stamp, kind)
);
create index followups_due on followups (due) where due is not null;
create index followups_created_at on followups using brin (created_at);

-- Messages a second that all senders together may hand over for a key.
create table rate_limits (
  key text primary key,
  tokens double precision not null,
  refilled_at timestamptz not null,
  -- Until when half of the rate holds.
  slowed_until timestamptz
);
create index rate_limits_refilled_at on rate_limits (refilled_at);
