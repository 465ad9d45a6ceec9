-- Who of a campaign's audience gets nothing, as an experiment holds them out: they are no messages, and are counted and listed from here.
create table held_out_contacts (
  sending bigint not null references sendings (id) on delete cascade,
  -- The last of them: slices of an audience are planned in ascending order.
  through bigint not null,
  contacts bigint[] not null,
  created_at timestamptz(3) not null,
  primary key (sending, through)
);
create index held_out_contacts_created_at on held_out_contacts using brin (created_at);
-- What waits for a decision is not due: it is not read by who looks for what is.
create index message_slices_not_before on message_slices (lane, account, sending, not_before, id) where claimed_by is null;
drop index message_slices_due;
alter index message_slices_not_before rename to message_slices_due;
