-- Dates of callers lie in the years 0001 to 9999. Those stored beyond them, which could not be answered, are brought to the
-- nearest of these years, and not cleared: what had ended stays ended, and what was to last stays so.
update segments set expires_at = least(greatest(expires_at, '0001-01-01 00:00+00'), '9999-12-31 23:59:59.999+00')
where expires_at < '0001-01-01 00:00+00' or expires_at > '9999-12-31 23:59:59.999+00';

update campaigns set starts_at = least(greatest(starts_at, '0001-01-01 00:00+00'), '9999-12-31 23:59:59.999+00'),
  ends_at = least(greatest(ends_at, '0001-01-01 00:00+00'), '9999-12-31 23:59:59.999+00')
where least(starts_at, ends_at) < '0001-01-01 00:00+00' or greatest(starts_at, ends_at) > '9999-12-31 23:59:59.999+00';

update display_campaigns set starts_at = least(greatest(starts_at, '0001-01-01 00:00+00'), '9999-12-31 23:59:59.999+00'),
  ends_at = least(greatest(ends_at, '0001-01-01 00:00+00'), '9999-12-31 23:59:59.999+00')
where least(starts_at, ends_at) < '0001-01-01 00:00+00' or greatest(starts_at, ends_at) > '9999-12-31 23:59:59.999+00';

update api_keys set expires_at = least(greatest(expires_at, '0001-01-01 00:00+00'), '9999-12-31 23:59:59.999+00')
where expires_at < '0001-01-01 00:00+00' or expires_at > '9999-12-31 23:59:59.999+00';

update imports set next_at = '9999-12-31 23:59:59.999+00' where next_at > '9999-12-31 23:59:59.999+00';

-- The start of a scheduler is stored as an instant; beyond these years with a sign, or as the year 0.
update imports set scheduler = jsonb_set(scheduler, '{startDate}', case when scheduler ->> 'startDate' like '+%'
  then '"9999-12-31T23:59:59.999Z"' else '"0001-01-01T00:00:00.000Z"' end::jsonb)
where scheduler ->> 'startDate' ~ '^([+-]|0000-)';

-- The bounds of its validity are stored as they were given: milliseconds, a text, or members of a clock, which are right.
-- A text with an offset that no clock has is no date any more: that side is open.
create function pg_temp.within_years(given jsonb) returns jsonb language sql as $$
  select case
    when jsonb_typeof(given) not in ('number', 'string') then given
    when given #>> '{}' ~ '^\s*-?\d+(\.\d+)?\s*$' then case
      when (given #>> '{}')::numeric < -62135596800000 then '"0001-01-01T00:00:00.000Z"'::jsonb
      when (given #>> '{}')::numeric >= 253402300800000 then '"9999-12-31T23:59:59.999Z"'::jsonb
      else given end
    when given #>> '{}' ~ '[+ -](2[4-9]|[3-9]\d)(:?\d\d)?\s*$' and given #>> '{}' ~ '\d\d:\d\d.*[+ -]\d\d(:?\d\d)?\s*$'
      or given #>> '{}' ~ '\d\d:\d\d.*[+ -]\d\d:?[6-9]\d\s*$' then 'null'::jsonb
    when given #>> '{}' ~ '^\s*(0000-|0001-01-01[Tt ]\d\d:\d\d\S*\s*[+ ]\d\d)' then '"0001-01-01T00:00:00.000Z"'::jsonb
    when given #>> '{}' ~ '^\s*9999-12-31[Tt ](24:|\d\d:\d\d:60|\d\d:\d\d\S*\s*-\d\d)' then '"9999-12-31T23:59:59.999Z"'::jsonb
    else given end
$$;
update imports set scheduler = jsonb_set(scheduler, '{validity,start}', pg_temp.within_years(scheduler #> '{validity,start}'))
where pg_temp.within_years(scheduler #> '{validity,start}') <> scheduler #> '{validity,start}';
update imports set scheduler = jsonb_set(scheduler, '{validity,end}', pg_temp.within_years(scheduler #> '{validity,end}'))
where pg_temp.within_years(scheduler #> '{validity,end}') <> scheduler #> '{validity,end}';
drop function pg_temp.within_years(jsonb);

-- The digits of a zoned start may be of 9999 and its instant no more: no campaign began as long as one had such an instant.
update actions set scheduler = jsonb_set(scheduler, '{startsAt}', '"9999-12-31T23:59:59.999Z"')
where scheduler ->> 'startsAt' like '+%';

-- Since when a message is held. Of those held already it is not known: they were made then.
alter table messages add column if not exists held_at timestamptz(3);
update messages set held_at = created_at where state = 'held' and held_at is null;
create index if not exists messages_held on messages (account, id) where state = 'held';
