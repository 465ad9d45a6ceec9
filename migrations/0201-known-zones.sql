-- The first of some names of a time zone that this database has rules for; null for none. Two names of one zone are as good:
-- which of them a server has depends on the rules it was built with.
create function known_zone(names text[]) returns text language plpgsql stable strict as $$
declare
  name text;
begin
  foreach name in array names loop
    begin
      perform now() at time zone name;
      return name;
    exception when invalid_parameter_value then
      continue;
    end;
  end loop;
  return null;
end $$;
