-- Messages that are kept as they left, octet by octet. The octets are in packs, on disk or in an object storage; a row
-- says where. It is there before the pack is written, so that no octet is ever anywhere without one.
create table archives (
  account integer not null references accounts,
  stamp uuid not null,
  id uuid not null,
  action integer not null,
  contact bigint not null,
  -- Contacts (by number) and addresses (lower case) that the message names beside its own: named_in of its request.
  named text[] not null,
  -- Null until the message has left; what never does goes with the daily cleaning.
  sent_at timestamptz(3),
  made_at timestamptz(3) not null,
  -- The pack (uuid version 7: its time tells its directory), the octets there, and how many they are uncompressed.
  pack uuid not null,
  start integer not null,
  length integer not null,
  size integer not null,
  primary key (account, stamp)
);
create index archives_sent on archives (account, sent_at, id) where sent_at is not null;
create index archives_action on archives (account, action, sent_at, id);
create index archives_contact on archives (account, contact, sent_at, id);
create index archives_pack on archives (pack);
create index archives_pending on archives (made_at) where sent_at is null;
create index archives_named on archives using gin (named) where named <> '{}';

-- Octets in packs that no row wants any more, to be overwritten; a pack of which nothing is wanted is deleted.
create table archive_wipes (
  account integer not null,
  pack uuid not null,
  start integer not null,
  length integer not null,
  -- When to do it, for the first time or once more: whoever wrote the pack may have been under way.
  due_at timestamptz(3) not null,
  primary key (pack, start)
);
create index archive_wipes_due_at on archive_wipes (due_at);

-- Files of recipients, opens or clicks that were made on demand; kept seven days.
create table action_exports (
  id uuid primary key,
  account integer not null references accounts,
  action integer not null,
  kind text not null check (kind in ('recipients', 'opens', 'clicks')),
  expires_at timestamptz(3) not null
);
create index action_exports_expires_at on action_exports (expires_at);
create index action_exports_action on action_exports (account, action);
