-- The transaction that wrote a notice. xmin is that of a savepoint where there was one, which no snapshot tells from one that was over.
alter table notices add column writer xid8;
alter table notices alter column writer set default pg_current_xact_id();
