-- Holds the definitions of an account until the transaction ends, and gives their number. A plain statement would read
-- the number as it was before it waited for the lock; each statement of a volatile function reads the present one.
create function hold_definitions(lock_class integer, holder integer) returns bigint language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock_shared(lock_class, holder);
  return (select definitions from accounts where id = holder);
end $$;

-- Every index that labels of the list have or had: none is given a second time.
alter table value_lists add used int4multirange not null default '{}';
-- Of lists made before it is not known which gaps were labels once: all of them count.
update value_lists set used = int4multirange(int4range(1, next_index)) where next_index > 1;
