-- What statements of pipelines compute with. Each has its twin in src/features/scripting/compilables/values/: rows are the same
-- whether the database or the service makes them.

-- A contact's number as it is written: eight digits of base 36.
create function contact_text(id bigint) returns text language sql immutable strict parallel safe as $$
  select string_agg(substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ', (id / power.of % 36)::integer + 1, 1), '' order by power.of desc)
  from (values (78364164096), (2176782336), (60466176), (1679616), (46656), (1296), (36), (1)) as power (of)
$$;

-- An instant as it is written.
create function instant_text(instant timestamptz) returns text language sql immutable strict parallel safe as $$
  select to_char(instant at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- The instant that a text of ISO 8601 gives, as it is written; null: it is no date, or lies outside the years 0001 to 9999.
create function date_text(value text) returns text language sql immutable strict parallel safe as $$
  select case
    when value !~* '^[0-9]{4}-[0-9]{2}-[0-9]{2}(t([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,9})?)?(z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])?)?$' then null
    when not pg_input_is_valid(left(value, 10), 'date') then null
    when value ~* '^[0-9]{4}-[0-9]{2}-[0-9]{2}t[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}z$' then upper(value)
    else (
      select case when at >= '0001-01-01T00:00:00Z'::timestamptz and at < '10000-01-01T00:00:00Z'::timestamptz then instant_text(at) end
      from (select regexp_replace(value, '(\.[0-9]{3})[0-9]+', '\1') as cut) c,
        lateral (select (case when cut ~* '(z|[+-][0-9]{2}:[0-9]{2})$' and length(cut) > 10 then cut when length(cut) > 10 then cut || 'Z'
          else cut || 'T00:00:00Z' end)::timestamptz as at) i)
  end
$$;

-- A sum or an average, to 15 digits; null: it is beyond what a double holds.
create function summed(value numeric) returns numeric language sql immutable strict parallel safe as $$
  select case when abs(value) < 1.7976931348623157e308 then to_char(value, '9.99999999999999EEEE')::numeric end
$$;

-- Whether two texts are the same. What is a date as the service writes it is compared as one.
create function same_text(one text, other text, exact boolean) returns boolean language sql immutable parallel safe as $$
  select case
    when one = other then true
    when one ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$' or other ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$'
      then coalesce(date_text(one) = date_text(other), not exact and folded(one) = folded(other))
    else not exact and folded(one) = folded(other)
  end
$$;

-- Whether two values are the same; null is the same as nothing.
create function same_value(one jsonb, other jsonb, exact boolean) returns boolean language sql immutable parallel safe as $$
  select coalesce(case
    when one = 'null' or other = 'null' then false
    when jsonb_typeof(one) = 'string' and jsonb_typeof(other) = 'string' then same_text(one #>> '{}', other #>> '{}', exact)
    else one = other
  end, false)
$$;

-- A text as it is searched: without regard to case unless exactly.
create function cased(value text, exact boolean) returns text language sql immutable strict parallel safe as $$
  select case when exact then value else folded(value) end
$$;

-- Whether an operator that is not negative holds between two values of a row.
create function values_compare(operator text, one jsonb, other jsonb, exact boolean) returns boolean
language plpgsql immutable parallel safe as $$
declare
  kinds text := concat(jsonb_typeof(one), ' ', jsonb_typeof(other));
  low jsonb;
  high jsonb;
begin
  if operator = 'equals' then
    return same_value(one, other, exact);
  elsif operator = 'in' then
    return kinds like '% array' and exists (
      select from jsonb_array_elements(case jsonb_typeof(one) when 'array' then one else jsonb_build_array(one) end) a,
        jsonb_array_elements(other) b where same_value(a.value, b.value, exact));
  elsif operator = 'between' then
    if kinds not like '% array' or jsonb_array_length(other) <> 2 then
      return false;
    end if;
    low := other -> 0;
    high := other -> 1;
    if concat(kinds, ' ', jsonb_typeof(low), ' ', jsonb_typeof(high)) = 'number array number number' then
      return one::numeric between low::numeric and high::numeric;
    elsif concat(kinds, ' ', jsonb_typeof(low), ' ', jsonb_typeof(high)) = 'string array string string' then
      return coalesce(date_text(one #>> '{}') collate "C" >= date_text(low #>> '{}')
        and date_text(one #>> '{}') collate "C" < date_text(high #>> '{}'), false);
    end if;
    return false;
  elsif kinds = 'number number' then
    return case operator
      when 'greater' then one::numeric > other::numeric
      when 'greaterOrEqual' then one::numeric >= other::numeric
      when 'less' then one::numeric < other::numeric
      when 'lessOrEqual' then one::numeric <= other::numeric
      else false end;
  elsif kinds = 'string string' then
    return coalesce(case operator
      when 'before' then date_text(one #>> '{}') collate "C" < date_text(other #>> '{}')
      when 'after' then date_text(one #>> '{}') collate "C" >= date_text(other #>> '{}')
      when 'contains' then strpos(cased(one #>> '{}', exact), cased(other #>> '{}', exact)) > 0
      when 'startsWith' then cased(one #>> '{}', exact) ^@ cased(other #>> '{}', exact)
      when 'endsWith' then right(cased(one #>> '{}', exact), length(cased(other #>> '{}', exact))) = cased(other #>> '{}', exact)
      else false end, false);
  end if;
  return false;
end $$;
