-- Webhooks made before get what they got: an empty list of events without changes of contacts, and records with neither name nor date.
alter table webhooks add column version smallint not null default 1 check (version between 1 and 2);
