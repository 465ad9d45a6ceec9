-- Erasures of events that the column store has not carried out yet: what it shows of these meanwhile is emptied as it is read.
create table event_erasures (
  number bigint generated always as identity primary key,
  account integer not null references accounts,
  contacts bigint[] not null,
  -- Messages to others that named them.
  stamps uuid[] not null,
  -- Only of events published since; null: of all, and they are not shown until then.
  since timestamptz(3)
);
create index event_erasures_account on event_erasures (account);

create index kept_activations_contact on kept_activations (account, contact);
