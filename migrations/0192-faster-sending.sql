-- Only what is immutable in every step is inlined: a number appended to a text is not, its text is.
create or replace function slice_stamp(stamp_prefix uuid, seed uuid, place bigint) returns uuid
  language sql immutable parallel safe
return overlay(stamp_prefix::text placing left(md5(seed::text || place::text), 12) from 25)::uuid;

-- Counters are changed within the statement that writes them.
drop function pressure_changed(bigint[], bigint[], integer[], bigint);
