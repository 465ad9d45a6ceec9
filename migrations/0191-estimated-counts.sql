-- Whether the count of a dynamic segment is exact: counting many contacts takes longer than a reader waits, who gets an estimate meanwhile.
alter table segments add column counted_exact boolean not null default true;
