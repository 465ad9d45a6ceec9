-- Mails that came to their end within a quarter of an hour, by the domain of their address: what deliverability is read from.
-- Made after the fact by features/deliverability/sent-quarters.ts: the recording of a message does nothing for it.
create table sent_quarters (
  account integer not null references accounts,
  start timestamptz(3) not null,
  domain text collate "C" not null,
  sent integer not null,
  refused integer not null,
  primary key (account, start, domain)
);
create index sent_quarters_start on sent_quarters using brin (start);

-- The quarters that are counted: from one instant to another. One row.
create table sent_counting (
  counted_from timestamptz(3) not null,
  counted_until timestamptz(3) not null
);
insert into sent_counting values ('epoch', 'epoch');
