-- What an SMS is called by the gateway it went through, one row a submission: receipts and replies are joined by it.
create table sms_sends (
  account integer not null,
  -- Name of the gateway.
  gateway text not null,
  reference text not null,
  stamp uuid not null,
  contact bigint,
  -- E.164, and what it was sent from: a number, a short code or a name.
  address text not null,
  sender text not null,
  sent_at timestamptz(3) not null,
  primary key (gateway, reference, account)
);
create index sms_sends_address on sms_sends (address, sent_at desc);
create index sms_sends_contact on sms_sends (account, contact);
create index sms_sends_sent_at on sms_sends (sent_at);

-- What came from networks: stored before it is acknowledged, and gone once its events are written.
create table sms_inbox (
  id bigint generated always as identity primary key,
  -- The gateway's name, and whose it is: null, the installation's.
  gateway text not null,
  owner integer,
  kind text not null check (kind in ('receipt', 'reply')),
  -- As src/gateways/gateway.ts has it.
  report jsonb not null,
  received_at timestamptz(3) not null,
  -- A receipt can be sooner than the record of its message.
  next_at timestamptz(3) not null
);
create index sms_inbox_next_at on sms_inbox (next_at);
