-- Hits are written by the thousand a second, and each index costs as much as its row. Ids begin with the time: the key tells
-- which are due. Bursts are looked for by stamp, among links alone.
drop index unsettled_hits_at;
drop index unsettled_hits_stamp;
create index unsettled_hits_stamp on unsettled_hits (stamp) where link is not null;
-- Every row is deleted within seconds: what is left of them is taken away before it slows down the others.
alter table unsettled_hits set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
