-- Whether all events from an instant on are here. A statement that relies on it fails where they are not: it was made before they
-- were dropped, and is made anew when it is tried again, as after a failure of its connection, whose class the state has.
create function events_are_here(since timestamptz) returns boolean stable parallel safe language plpgsql as $$
begin
  if exists (select from event_store where dropped_until > since) then
    raise exception 'events from % on are not all here any more', since using errcode = '57PEV';
  end if;
  return true;
end $$;
