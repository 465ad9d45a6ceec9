-- What was sent is named by its kind and its number there, everywhere alike. Rows are not rewritten: those of before have
-- the default, and are of actions.
alter table sent_messages rename column action to source;
alter table short_links rename column action to source;

drop function sliced_message;

-- The message of a stamp while it is in a slice; it may be recorded already.
create function sliced_message(of_account integer, of_stamp uuid)
  returns table (slice bigint, sending bigint, channel text, source_kind text, source integer, version integer, contact bigint,
    run uuid, stamp_time timestamptz)
  language sql stable parallel safe
begin atomic
  select s.id, g.id, g.channel, g.source_kind, g.source, s.version, c.contact, g.run, g.created_at
  from message_slices s join sendings g on g.id = s.sending
    cross join lateral unnest(s.contacts) with ordinality as c (contact, place)
  where s.account = of_account and s.stamp_prefix = overlay(of_stamp::text placing '000000000000' from 25)::uuid
    and slice_stamp(s.stamp_prefix, s.seed, c.place - 1) = of_stamp;
end;
