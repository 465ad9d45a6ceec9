-- The schema of version 0.1.0. What changes it later is a migration of its own, 0002 and on.

-- Parts of addresses are found by their trigrams. A database that has no such extension, or whose owner may not add it,
-- is searched row by row.
do $$
begin
  create schema if not exists extensions;
  create extension if not exists pg_trgm schema extensions;
exception when others then
  raise notice 'pg_trgm cannot be added: %', sqlerrm;
end
$$;

-- Functions name tables that are made behind them.
set local check_function_bodies = off;

-- A text as it is searched: without regard to case unless exactly.
create function cased(value text, exact boolean) returns text language sql immutable strict parallel safe as $$
  select case when exact then value else folded(value) end
$$;

-- A contact's number as it is written: eight digits of base 36.
create function contact_text(id bigint) returns text language sql immutable strict parallel safe as $$
  select string_agg(substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ', (id / power.of % 36)::integer + 1, 1), '' order by power.of desc)
  from (values (78364164096), (2176782336), (60466176), (1679616), (46656), (1296), (36), (1)) as power (of)
$$;

create function count_contacts() returns trigger language plpgsql as $$
begin
  insert into contact_counts as c (account, shard, n)
  select account, pg_backend_pid() % 16, case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed group by account
  on conflict (account, shard) do update set n = c.n + excluded.n;
  return null;
end $$;

create function count_definitions() returns trigger language plpgsql as $$
begin
  update accounts set definitions = definitions + 1 where id in (select account from changed);
  return null;
end $$;

create function count_listeners() returns trigger language plpgsql as $$
begin
  update accounts a set listening = l.types, definitions = a.definitions + 1
  from (
    select c.account, array(
      select distinct type from notice_listeners n where n.account = c.account order by type) as types
    from (select distinct account from changed) c) l
  where a.id = l.account and a.listening <> l.types;
  return null;
end $$;

create function count_members() returns trigger language plpgsql as $$
begin
  insert into segment_counts as c (segment, shard, n)
  select segment, pg_backend_pid() % 16, case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed group by segment
  on conflict (segment, shard) do update set n = c.n + excluded.n;
  return null;
end $$;

create function count_settings() returns trigger language plpgsql as $$
begin
  new.definitions := old.definitions + 1;
  return new;
end $$;

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

-- A deleted display campaign keeps its row, so no foreign key takes it out of its campaigns.
create function display_leaves_campaigns() returns trigger language plpgsql as $$
begin
  delete from campaign_items i where i.account = new.account and i.type = 'display' and i.name = new.id;
  return null;
end $$;

-- A document whose members, given by the part they stand in and their path with dots, hold nothing any more: '' for a
-- text, {} and [] for what has parts. Those that are missing, null, numbers or booleans stay as they are.
create function emptied(document jsonb, parts text[], paths text[]) returns jsonb language plpgsql immutable parallel safe as $$
declare
  path text[];
  empty jsonb;
begin
  for n in 1 .. cardinality(parts) loop
    -- Most parts are in few documents.
    continue when not document ? parts[n];
    path := string_to_array(paths[n], '.');
    empty := case jsonb_typeof(document #> path) when 'string' then '""' when 'object' then '{}' when 'array' then '[]' end;
    if empty is not null then
      document := jsonb_set(document, path, empty);
    end if;
  end loop;
  return document;
end $$;

-- Whether all events from an instant on are here. A statement that relies on it fails where they are not: it was made before they
-- were dropped, and is made anew when it is tried again, as after a failure of its connection, whose class the state has.
create function events_are_here(since timestamptz) returns boolean stable parallel safe language plpgsql as $$
begin
  if exists (select from event_store where dropped_until > since) then
    raise exception 'events from % on are not all here any more', since using errcode = '57PEV';
  end if;
  return true;
end $$;

create function events_partition(moment timestamptz) returns text language sql stable as
  $$ select to_char(moment at time zone 'UTC', '"events_"YYYY_MM') $$;

-- Who writes counters locks the contact: so none is made for one that is gone, without a foreign key that asks of each row.
create function forget_pressure() returns trigger language plpgsql as $$
begin
  delete from pressure_counters p using gone g where p.account = g.account and p.contact = g.id;
  return null;
end $$;

-- Holds the definitions of an account until the transaction ends, and gives their number. A plain statement would read
-- the number as it was before it waited for the lock; each statement of a volatile function reads the present one.
create function hold_definitions(lock_class integer, holder integer) returns bigint language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock_shared(lock_class, holder);
  return (select definitions from accounts where id = holder);
end $$;

-- An instant as it is written.
create function instant_text(instant timestamptz) returns text language sql immutable strict parallel safe as $$
  select to_char(instant at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- Rows go when they are older than the retention that their deletion names, and none within 30 days.
create function keep_audit() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.at < nullif(current_setting('stentor.audit_before', true), '')::timestamptz
    and old.at < now() - interval '30 days' then
    return old;
  end if;
  raise 'rows of the audit are not changed' using errcode = 'restrict_violation';
end
$$;

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

-- A deleted action keeps its row, so no foreign key takes it out of its campaigns.
create function leave_campaigns() returns trigger language plpgsql as $$
begin
  delete from campaign_items i
  where i.account = new.account and i.number = new.id
    and i.type = case left(new.type, 3) when 'sms' then 'sms' when 'rcs' then 'rcs' else 'email' end;
  return null;
end $$;

-- A deleted workflow leaves every campaign, as all that a campaign groups does.
create function leave_campaigns_with_workflow() returns trigger language plpgsql as $$
begin
  delete from campaign_items i where i.account = new.account and i.type = 'workflow' and i.number = new.id;
  return null;
end $$;

-- What is deleted leaves campaigns, and links to segments no more.
create function leave_notification() returns trigger language plpgsql as $$
begin
  delete from campaign_items i where i.account = new.account and i.type = 'notification' and i.number = new.id;
  delete from notification_segments s where s.account = new.account and s.notification = new.id;
  return null;
end $$;

-- The forms that a draft seems to link to: an id as a whole address, or below "links.form".
create function link_forms() returns trigger language plpgsql as $$
begin
  delete from action_forms where action = new.id;
  if new.deleted_at is null and new.state <> 60 then
    insert into action_forms (account, action, form)
    select f.account, new.id, f.id from forms f
    where f.account = new.account and f.id in (
      select from_base36(mention[1])
      from jsonb_each_text(new.content) as part,
        regexp_matches(part.value, '(?:href\s*=\s*["'']?\s*|\mlinks\s*\.\s*form\s*(?:\.\s*|\[\s*["'']))([0-9A-Za-z]{6})\M', 'gi') as mention)
    order by f.id for key share;
  end if;
  return null;
end $$;

-- Their contents link to forms as those of other actions do.
create function link_version_forms() returns trigger language plpgsql as $$
begin
  insert into action_forms (account, action, form)
  select distinct new.account, new.owner, from_base36(link ->> 'form')::integer
  from jsonb_array_elements(new.links) as link
  where new.owner_kind in ('action', 'rcs') and link ->> 'form' is not null
    and exists (select from actions a where a.id = new.owner and a.deleted_at is null and a.state <> 60)
  on conflict do nothing;
  return null;
end $$;

-- The partition of a shared row: by its contact, and without one by its send.
create function listener_part(contact bigint, stamp uuid, event uuid) returns smallint language sql immutable as $$
  select (case when contact is null then uuid_hash(coalesce(stamp, event)) else hashint8(contact) end & 63)::smallint
$$;

-- Makes the partitions of the month of "since" and of the months after it; answers how many were missing.
-- A table is made first and attached then: attaching lets others go on writing, "create ... partition of" does not.
create function make_event_partitions(since timestamptz, months integer) returns integer language plpgsql as $$
declare
  month timestamp;
  name text;
  made integer := 0;
begin
  perform pg_advisory_xact_lock(hashtext('event partitions'));
  for month in
    select m from generate_series(date_trunc('month', since at time zone 'UTC'),
      date_trunc('month', since at time zone 'UTC') + make_interval(months => months), interval '1 month') m
  loop
    name := events_partition(month at time zone 'UTC');
    -- Not to_regclass: it may not know yet what another process made while this one waited.
    continue when exists (
      select from pg_inherits join pg_class on oid = inhrelid where inhparent = 'events'::regclass and relname = name);
    execute format('create table %I (like events including all)', name);
    execute format('alter table events attach partition %I for values from (%L) to (%L)',
      name, month at time zone 'UTC', (month + interval '1 month') at time zone 'UTC');
    made := made + 1;
  end loop;
  return made;
end $$;

-- How many of ascending moments are before an instant of their day.
create function moments_before(moments bytea, instant integer) returns integer language plpgsql immutable strict parallel safe as $$
declare
  low integer := 0;
  high integer := octet_length(moments) / 4;
  middle integer;
  wanted bytea := int4send(instant);
begin
  while low < high loop
    middle := (low + high) / 2;
    if substr(moments, 4 * middle + 1, 4) < wanted then low := middle + 1; else high := middle; end if;
  end loop;
  return low;
end $$;

-- Whom the request of a message names beside the contact it is for: addresses in Cc, and ids of contacts.
create function named_in(request jsonb) returns text[] language sql immutable parallel safe as $$
  select array(select lower(cc) from jsonb_array_elements_text(coalesce(request -> 'cc', '[]')) cc)
    || array_remove(array[request ->> 'related', request ->> 'copyTo'], null)
$$;

-- Events are counted a minute after they were published, and changes of younger ones are not noted. Whoever counts takes this
-- lock for a moment first: then all of those are committed.
create function note_changed_events() returns trigger language plpgsql as $$
begin
  if not exists (select from old_events) then return null; end if;
  perform pg_advisory_xact_lock_shared(hashtext('changes of events'));
  insert into stale_event_counts (account, channel, start)
  select distinct c.account, c.channel, quarter_of(c.at)
  from old_events o join new_events n using (id)
    cross join lateral (values (o.account, o.channel, o.at), (n.account, n.channel, n.at)) c (account, channel, at)
  where c.at < clock_timestamp() - interval '30 seconds'
    and (o.account, o.channel, o.at, o.kind, o.subject, o.contact, o.classification, o.is_test, o.activation_at)
      is distinct from (n.account, n.channel, n.at, n.kind, n.subject, n.contact, n.classification, n.is_test, n.activation_at);
  return null;
end $$;

create function note_deleted_events() returns trigger language plpgsql as $$
begin
  if not exists (select from old_events) then return null; end if;
  perform pg_advisory_xact_lock_shared(hashtext('changes of events'));
  insert into stale_event_counts (account, channel, start)
  select distinct account, channel, quarter_of(at) from old_events where at < clock_timestamp() - interval '30 seconds';
  return null;
end $$;

create function note_event_changes() returns trigger language plpgsql as $$
begin
  if not exists (select from event_store) then return null; end if;
  insert into event_changes (event, at, account, channel, subject, contact, stamp, thread, phone, agent)
  select id, at, account, channel, subject, contact, stamp, thread, phone, agent from old_events order by id;
  return null;
end $$;

-- Events are written with the present time, a minute before they are counted at the earliest. This is for whoever writes
-- old ones.
create function note_late_events() returns trigger language plpgsql as $$
declare
  counted timestamptz := (select counted_until from event_counting);
begin
  if (select min(at) from fresh) < counted then
    insert into stale_event_counts (account, channel, start)
    select distinct account, channel, quarter_of(at) from fresh where at < counted;
  end if;
  return null;
end $$;

create function quarter_of(at timestamptz) returns timestamptz language sql immutable as
  $$ select date_bin('15 minutes', at, 'epoch'::timestamptz) $$;

-- The triggers run once a statement. A hit is queued when it is settled, all else when it is written. What is of accounts
-- without a listener joins nothing: 200 hits take 1 % longer then, where the join would make it 7 %.
create function queue_events() returns trigger language plpgsql as $$
declare
  listening integer[] := array(select distinct account from listener_interests);
begin
  if listening = '{}' or not exists (select from fresh where account = any(listening)) then return null; end if;
  insert into listener_queue (account, kind, listener, event, depth)
  select f.account, i.kind, i.listener, f.id, f.depth
  from fresh f join listener_interests i on i.account = f.account
  where i.listener is not null and listener_wants(i, f.channel, f.kind, f.classification)
    and not (split_part(f.kind, '/', 1) in ('hits', 'interactions')
      and exists (select from unsettled_hits u where u.event = f.id))
  order by f.id;
  if not exists (select from listener_interests where listener is null) then return null; end if;
  insert into listener_queue (account, kind, part, event, contact, stamp, depth)
  select f.account, l.kind, listener_part(f.contact, f.stamp, f.id), f.id, f.contact, f.stamp, f.depth
  from fresh f cross join lateral (
    select distinct i.kind from listener_interests i
    where i.account = f.account and i.listener is null and listener_wants(i, f.channel, f.kind, f.classification)) l
  where not (split_part(f.kind, '/', 1) in ('hits', 'interactions')
    and exists (select from unsettled_hits u where u.event = f.id))
  order by f.id;
  return null;
end $$;

create function queue_notices() returns trigger language plpgsql as $$
begin
  insert into listener_queue (account, kind, listener, event, depth)
  select f.account, i.kind, i.listener, f.id, f.depth
  from fresh f join listener_interests i on i.account = f.account
  where i.listener is not null and f.type = any(i.events)
  order by f.id;
  insert into listener_queue (account, kind, part, event, contact, stamp, depth)
  select f.account, l.kind, listener_part(f.contact, (f.stamp ->> 'id')::uuid, f.id), f.id, f.contact, (f.stamp ->> 'id')::uuid, f.depth
  from fresh f cross join lateral (
    select distinct i.kind from listener_interests i
    where i.account = f.account and i.listener is null and f.type = any(i.events)) l
  order by f.id;
  return null;
end $$;

create function queue_settled_hits() returns trigger language plpgsql as $$
declare
  listening integer[] := array(select distinct account from listener_interests);
begin
  if listening = '{}' or not exists (select from settled where account = any(listening)) then return null; end if;
  insert into listener_queue (account, kind, listener, event, depth)
  select e.account, i.kind, i.listener, e.id, e.depth
  from settled s
    join events e on e.id = s.event and e.at = s.at
    join listener_interests i on i.account = e.account
  where i.listener is not null and listener_wants(i, e.channel, e.kind, e.classification)
  order by e.id;
  if not exists (select from listener_interests where listener is null) then return null; end if;
  insert into listener_queue (account, kind, part, event, contact, stamp, depth)
  select e.account, l.kind, listener_part(e.contact, e.stamp, e.id), e.id, e.contact, e.stamp, e.depth
  from settled s
    join events e on e.id = s.event and e.at = s.at
    cross join lateral (
      select distinct i.kind from listener_interests i
      where i.account = e.account and i.listener is null and listener_wants(i, e.channel, e.kind, e.classification)) l
  order by e.id;
  return null;
end $$;

create function refuse_truncation() returns trigger language plpgsql as $$
begin
  raise 'rows of the audit are not changed' using errcode = 'restrict_violation';
end
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

-- A compilation ends in the transaction that moves its action on, whoever does that.
create function settle_approval() returns trigger language plpgsql as $$
begin
  update approvals set outcome = case when new.state = 20 then 'failed' else 'done' end
  where outcome = 'running' and object = new.id and attempt = new.attempt;
  return null;
end
$$;

-- A sum or an average, to 15 digits; null: it is beyond what a double holds.
create function summed(value numeric) returns numeric language sql immutable strict parallel safe as $$
  select case when abs(value) < 1.7976931348623157e308 then to_char(value, '9.99999999999999EEEE')::numeric end
$$;

-- Of a campaign that could not begin as it was approved.
create function undo_approval() returns trigger language plpgsql as $$
begin
  update approvals set outcome = 'failed' where account = new.account and id = (new.approved->>'approval')::uuid;
  return null;
end
$$;

-- A request that names these no more.
create function unnamed(request jsonb, names text[]) returns jsonb language sql immutable parallel safe as $$
  select case when request ->> 'related' = any(names) then request - 'related' else request end
    || case when request ? 'cc' then jsonb_build_object('cc', (
      select coalesce(jsonb_agg(cc order by place), '[]') from jsonb_array_elements_text(request -> 'cc') with ordinality c(cc, place)
      where lower(cc) <> all(names))) else '{}' end
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

-- A text without some values, in whatever case they stand in it.
create function without(document text, given text[]) returns text language plpgsql immutable parallel safe as $$
declare
  value text;
  folded text := lower(document);
begin
  foreach value in array given loop
    -- Few of many values stand in a text, and a search for words is cheaper than one for a pattern.
    continue when strpos(folded, lower(value)) = 0;
    document := regexp_replace(document, regexp_replace(value, '[^[:alnum:]]', '\\\&', 'g'), '', 'gi');
  end loop;
  return document;
end $$;

-- Whether an event is behind a place in the log. A place with a snapshot is a transaction: an event is behind it that was not
-- committed for it, and is not its own. Without one it is an instant, or an event that was consumed.
create function workflow_is_behind(at timestamptz, id uuid, writer xid, since_at timestamptz, since_event uuid, since_snapshot text)
returns boolean language plpgsql stable as $$
declare
  current bigint;
  whole bigint;
begin
  if since_snapshot is null then
    return at > since_at or (at = since_at and (since_event is null or id > since_event));
  end if;
  if at < since_at - interval '20 seconds' then return false; end if;
  -- Transactions that publish end within 20 s.
  if at > since_at + interval '20 seconds' then return true; end if;
  current := pg_snapshot_xmax(pg_current_snapshot())::text::bigint;
  whole := (current >> 32 << 32) | writer::text::bigint;
  if whole > current then whole := whole - (1::bigint << 32); end if;
  return not pg_visible_in_snapshot(whole::text::xid8, split_part(since_snapshot, ' ', 1)::pg_snapshot)
    and whole::text <> split_part(since_snapshot, ' ', 2);
end $$;

-- How mail addresses are compared: in lower case after NFC, never by way of upper case, so that ß stays apart from ss and a dotless i
-- from i (RFC 6532, RFC 8265). A sigma at the end of a word is the common one. As mapCase of src/lib/text/fold.ts.
create function address_key(value text) returns text language sql immutable strict parallel safe
return case when octet_length(value) = char_length(value) then lower(value collate "C")
  else replace(normalize(lower(normalize(value, nfc) collate pg_unicode_fast), nfc), 'ς', 'σ') collate "C" end;

-- Texts of criteria are compared without regard to case: full Unicode case folding, in code point order.
create function folded(texts text[]) returns text[] language sql immutable strict parallel safe
  return array(select casefold(t.value collate pg_unicode_fast) from unnest(texts) t(value));

-- Texts of criteria are compared without regard to case: full Unicode case folding, in code point order.
create function folded(value text) returns text language sql immutable strict parallel safe
  return casefold(value collate pg_unicode_fast);

-- What an index holds of a text: an entry of an index must be short, texts need not be.
create function folded_start(texts text[]) returns text[] language sql immutable strict parallel safe
  return array(select left(casefold(t.value collate pg_unicode_fast), 60) from unnest(texts) t(value));

-- What an index holds of a text: an entry of an index must be short, texts need not be.
create function folded_start(value text) returns text language sql immutable strict parallel safe
  return left(casefold(value collate pg_unicode_fast), 60);

create function from_base36(wire text) returns bigint language sql immutable strict parallel safe
  return (
    select sum((strpos('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ', digit) - 1) * (36 ^ (length(wire) - place))::bigint)::bigint
    from regexp_split_to_table(upper(wire), '') with ordinality as d (digit, place));

-- The keys that one place of a slice holds, by kind.
create function place_reservations(reservations jsonb, place integer) returns jsonb
  language sql immutable strict parallel safe
return (
  select coalesce(jsonb_object_agg(kind, held -> 'key'), '{}')
  from (
    select kind, held, decode(held ->> 'places', 'hex') as places from jsonb_each(reservations) as e (kind, held)) k
  where place < 8 * octet_length(places) and get_bit(places, place) = 1);

-- A text as it is searched for: without regard to case and accents. ASCII, which most addresses are, takes the short way.
create function searched(value text) returns text language sql immutable strict parallel safe
  return casefold(case when octet_length(value) = char_length(value) then value
    else regexp_replace(normalize(value, nfkd), '[\u0300-\u036f]', '', 'g') end collate pg_unicode_fast);

-- The pattern of LIKE for a text somewhere in a searched one.
create function part_pattern(value text) returns text language sql immutable strict parallel safe
  return '%' || replace(replace(replace(searched(value), '\', '\\'), '%', '\%'), '_', '\_') || '%';

-- Ids of messages in slices are below zero, so that they are no row's; `place` is from 0 to 1023.
create function slice_message_id(slice bigint, place bigint) returns bigint
  language sql immutable parallel safe
  return -(slice * 1024 + place);

-- Only what is immutable in every step is inlined: a number appended to a text is not, its text is.
create function slice_stamp(stamp_prefix uuid, seed uuid, place bigint) returns uuid
  language sql immutable parallel safe
return overlay(stamp_prefix::text placing left(md5(seed::text || place::text), 12) from 25)::uuid;

-- What an index holds of it for sorting: an entry of an index must be short, texts need not be.
create function sorted_start(value text) returns text language sql immutable strict parallel safe
  return left(searched(value), 60);

create table accounts (
  id integer not null generated always as identity,
  agency text not null,
  customer text not null,
  name text not null,
  -- What differs from the defaults, by area: {"contacts": {}, "sending": {}, "events": {}}.
  settings jsonb not null default '{}'::jsonb,
  -- Moves with every change of fields, value lists or settings: what was read of them with this number still holds.
  definitions bigint not null default 0,
  rate_per_second integer not null default 50,
  rate_burst integer not null default 200,
  created_at timestamptz(3) not null default now(),
  listening text[] not null default '{}'::text[],
  awaits_devices boolean not null default false,
  require_second_factor boolean not null default false,
  approval boolean not null default false,
  mask_personal_data boolean not null default false,
  -- Whether keys of contacts with an email in their unicity are folded as they were before: where a stored one differs, until the account is rekeyed.
  folds_keys boolean not null default false,
  primary key (id),
  unique (agency, customer),
  check (agency ~ '^[A-Z0-9]{4}$'),
  check (customer ~ '^[A-Z0-9]{3}$'),
  check (rate_burst >= 0),
  check (rate_per_second >= 0)
);
create trigger accounts_settings before update of settings on accounts for each row
  when (new.settings is distinct from old.settings)
  execute function count_settings();

create table api_keys (
  id integer not null generated always as identity,
  account integer not null,
  name text not null,
  -- SHA-256 of the key; its first eight bytes are what a request looks up, the whole is compared in constant time.
  lookup bytea not null,
  secret_sha256 bytea not null,
  rights text[] not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  primary key (id),
  unique (secret_sha256),
  foreign key (account) references accounts(id),
  check (rights <@ '{read,write,send,admin}'::text[] and cardinality(rights) > 0)
);
create index api_keys_lookup on api_keys (lookup);

-- The first answer to a POST that carried Idempotency-Key, kept 24 hours; status null while it is being made.
create table idempotency_keys (
  account integer not null,
  key text not null,
  fingerprint bytea not null,
  status integer,
  headers jsonb,
  body bytea,
  created_at timestamptz(3) not null,
  primary key (account, key),
  foreign key (account) references accounts(id)
);
create index idempotency_keys_created_at on idempotency_keys (created_at);

-- A way out of the installation for one channel. account null: for every account that has none of its own.
create table gateways (
  id integer not null generated always as identity,
  account integer,
  channel text not null,
  name text not null,
  kind text not null,
  settings jsonb not null default '{}'::jsonb,
  -- Credentials, sealed with the master key (AES-256-GCM).
  secrets bytea,
  created_at timestamptz(3) not null default now(),
  -- Whether the hosts of a gateway were given over the interface: then they must be public ones, or those that the installation
  -- allows, whenever it is tried there.
  guarded boolean not null default false,
  primary key (id),
  unique nulls not distinct (account, name),
  foreign key (account) references accounts(id),
  check (channel in ('email', 'sms', 'rcs', 'notification'))
);

-- Domains an account may send from.
create table sending_domains (
  account integer not null,
  domain text not null,
  is_default boolean not null default false,
  verified_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  -- What the last check of a sending domain found, record by record:
  -- [{"purpose", "type", "name", "found", "seen": [texts]}]; null: it was never checked.
  checked_at timestamptz(3),
  findings jsonb,
  primary key (account, domain),
  foreign key (account) references accounts(id)
);
create unique index sending_domains_default on sending_domains (account) where is_default;

create table value_lists (
  id integer not null generated always as identity,
  account integer not null,
  name text not null,
  name_folded text not null,
  ordered boolean not null default false,
  -- The next index a label gets; indexes are never used twice.
  next_index integer not null default 1,
  used int4multirange not null default '{}'::int4multirange,
  primary key (id),
  unique (account, id),
  unique (account, name_folded),
  foreign key (account) references accounts(id)
);
create trigger value_lists_delete after delete on value_lists referencing old table as changed
  for each statement
  execute function count_definitions();
create trigger value_lists_insert after insert on value_lists referencing new table as changed
  for each statement
  execute function count_definitions();
create trigger value_lists_update after update on value_lists referencing new table as changed
  for each statement
  execute function count_definitions();

create table value_list_labels (
  account integer not null,
  list integer not null,
  index integer not null,
  label text not null,
  label_folded text not null,
  -- Where the label stands in the order given.
  position integer not null,
  primary key (list, index),
  unique (list, label_folded) deferrable,
  foreign key (account, list) references value_lists(account, id) on delete cascade,
  check (index >= 1)
);
create trigger value_list_labels_delete after delete on value_list_labels referencing old table as changed
  for each statement
  execute function count_definitions();
create trigger value_list_labels_insert after insert on value_list_labels referencing new table as changed
  for each statement
  execute function count_definitions();
create trigger value_list_labels_update after update on value_list_labels referencing new table as changed
  for each statement
  execute function count_definitions();

create table fields (
  id integer not null generated always as identity,
  account integer not null,
  type text not null,
  name text not null,
  name_folded text not null,
  is_unicity boolean not null default false,
  is_mandatory boolean not null default false,
  is_criterion boolean not null default true,
  constraint_operator integer,
  constraint_value text,
  value_list integer,
  primary key (id),
  unique (account, id),
  unique (account, name_folded),
  foreign key (account) references accounts(id),
  foreign key (account, value_list) references value_lists(account, id),
  constraint fields_check check ((type in ('singleSelectList', 'multipleSelectList')) = (value_list is not null)),
  check (type in ('email', 'phone', 'textField', 'textArea', 'numeric', 'date', 'singleSelectList', 'multipleSelectList'))
);
create trigger fields_delete after delete on fields referencing old table as changed
  for each statement
  execute function count_definitions();
create trigger fields_insert after insert on fields referencing new table as changed
  for each statement
  execute function count_definitions();
create trigger fields_update after update on fields referencing new table as changed
  for each statement
  execute function count_definitions();

create table contacts (
  account integer not null,
  -- One counter for the installation; on the wire eight characters of base 36.
  id bigint not null generated always as identity,
  -- Values by field id; an empty value is absent. Lists hold indexes, dates ISO text in UTC.
  fields jsonb not null,
  -- The unicity values joined, as stored, and folded; the hash is the MD5 of the former.
  unicity text collate "C" not null,
  key text collate "C" not null,
  hash bytea not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- The run that created a contact: a second line with its key is a duplicate, which need not be looked up elsewhere.
  created_by_import integer,
  primary key (account, id),
  foreign key (account) references accounts(id),
  check (length(key) <= 512)
);
-- Lists of contacts by their dates, page by page.
create index contacts_created_at on contacts (account, created_at, id);
-- Not unique: keys are, and a second unique index would make two conflicts of one.
create index contacts_hash on contacts (account, hash);
create unique index contacts_key on contacts (account, key);
create index contacts_updated_at on contacts (account, updated_at, id);
create trigger contacts_deleted after delete on contacts referencing old table as changed
  for each statement
  execute function count_contacts();
create trigger contacts_inserted after insert on contacts referencing new table as changed
  for each statement
  execute function count_contacts();
create trigger contacts_pressure after delete on contacts referencing old table as gone
  for each statement
  execute function forget_pressure();

-- How many contacts an account has, spread over sixteen rows so that writers do not wait for each other.
create table contact_counts (
  account integer not null,
  shard smallint not null,
  n bigint not null,
  primary key (account, shard)
);

create table red_list (
  account integer not null,
  channel text not null,
  contact bigint not null,
  listed_at timestamptz(3) not null,
  origin smallint not null,
  detail jsonb not null default '{}'::jsonb,
  primary key (account, channel, contact),
  foreign key (account, contact) references contacts(account, id) on delete cascade,
  check (channel in ('mail', 'sms')),
  check (origin >= 0 and origin <= 9)
);
create index red_list_listed_at on red_list (account, channel, listed_at, contact);

-- Why and when an entry was taken off; kept for good.
create table red_list_removals (
  id bigint not null generated always as identity,
  account integer not null,
  channel text not null,
  contact bigint not null,
  api_key integer,
  reason text not null,
  removed_at timestamptz(3) not null,
  entry jsonb not null,
  primary key (id),
  foreign key (account) references accounts(id),
  foreign key (api_key) references api_keys(id)
);
create index red_list_removals_contact on red_list_removals (account, contact);

-- Entries a person made whose contact was deleted: a keyed hash of the address brings them back.
create table red_list_memory (
  account integer not null,
  channel text not null,
  address_mac bytea not null,
  listed_at timestamptz(3) not null,
  origin smallint not null,
  detail jsonb not null,
  primary key (account, channel, address_mac),
  foreign key (account) references accounts(id)
);

create table bounce_flags (
  account integer not null,
  contact bigint not null,
  field integer not null,
  code smallint not null,
  flagged_at timestamptz(3) not null,
  reason text not null default '',
  primary key (account, contact, field),
  foreign key (account, contact) references contacts(account, id) on delete cascade,
  foreign key (field) references fields(id) on delete cascade,
  check (code in (3, 4, 51, 52, 53, 54, 6))
);
create index bounce_flags_flagged_at on bounce_flags (account, flagged_at);

-- Soft refusals since the last success of an address.
create table soft_bounces (
  account integer not null,
  contact bigint not null,
  field integer not null,
  bounced_at timestamptz(3) not null,
  foreign key (account, contact) references contacts(account, id) on delete cascade,
  foreign key (field) references fields(id) on delete cascade
);
create index soft_bounces_contact on soft_bounces (account, contact, field, bounced_at);

create table segments (
  id integer not null generated always as identity,
  account integer not null,
  type text not null,
  name text not null,
  name_folded text not null,
  description text,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  is_test boolean not null default false,
  parent integer,
  criteria jsonb,
  -- Dynamic only: the cached count and when it was computed.
  counted integer not null default 0,
  counted_at timestamptz(3),
  -- Whether the count of a dynamic segment is exact: counting many contacts takes longer than a reader waits, who gets an estimate meanwhile.
  counted_exact boolean not null default true,
  primary key (id),
  unique (account, id),
  unique (account, name_folded),
  foreign key (account) references accounts(id),
  foreign key (account, parent) references segments(account, id),
  constraint segments_check check (type = 'dynamic' or parent is null and criteria is null),
  check (type in ('static', 'dynamic'))
);
create index segments_parent on segments (account, parent) where parent is not null;

create table segment_members (
  account integer not null,
  segment integer not null,
  contact bigint not null,
  primary key (segment, contact),
  foreign key (account, contact) references contacts(account, id) on delete cascade,
  foreign key (account, segment) references segments(account, id) on delete cascade
);
create index segment_members_contact on segment_members (account, contact);
create trigger segment_members_deleted after delete on segment_members referencing old table as changed
  for each statement
  execute function count_members();
create trigger segment_members_inserted after insert on segment_members referencing new table as changed
  for each statement
  execute function count_members();

create table segment_counts (
  segment integer not null,
  shard smallint not null,
  n bigint not null,
  primary key (segment, shard)
);

-- How the columns of a file are read.
create table import_formats (
  id integer not null generated always as identity,
  account integer not null,
  name text not null,
  name_folded text not null,
  -- Character code; 0: found in the file.
  separator smallint not null default 0,
  -- Lines passed over before the first data line.
  start_at integer not null default 1,
  encoding text,
  date_order text,
  -- False: usable by id, not listed.
  is_saved boolean not null default true,
  -- Imports read workbooks: an import format may name the sheet that is read; without a name it is the first one that is not hidden.
  sheet text,
  primary key (id),
  unique (account, id),
  unique (account, name_folded),
  foreign key (account) references accounts(id),
  check (date_order in ('dmy', 'mdy')),
  check (separator >= 0 and separator <= 127 and (separator <> ALL (array[10, 13, 34]))),
  check (start_at >= 0)
);

create table import_format_binds (
  account integer not null,
  format integer not null,
  -- Where the bind stands in the order given.
  position integer not null,
  column_index integer not null,
  -- Null: a column that is not read.
  field integer,
  -- Files have numbers such as 1,234 and dates as bare numbers, which a column can mean in several ways: an import format says which.
  decimal_mark text,
  date_unit text,
  primary key (format, "position"),
  unique (format, column_index),
  unique (format, field),
  foreign key (account, field) references fields(account, id),
  foreign key (account, format) references import_formats(account, id) on delete cascade,
  check (column_index >= 0),
  check (date_unit in ('seconds', 'milliseconds', 'serial')),
  check (decimal_mark in ('comma', 'point'))
);
create index import_format_binds_field on import_format_binds (account, field);

create table imports (
  id integer not null generated always as identity,
  account integer not null,
  name text not null,
  binding integer,
  features jsonb not null default '[]'::jsonb,
  -- Where its files come from: {"type": "file"}, or {"type": "ftp", "folder", "templateFilename"}.
  source jsonb not null,
  scheduler jsonb,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3),
  -- When the scheduler of an import starts it next; null: never.
  next_at timestamptz(3),
  primary key (id),
  unique (account, id),
  foreign key (account, binding) references import_formats(account, id),
  foreign key (account) references accounts(id)
);
create index imports_binding on imports (account, binding);
create index imports_next_at on imports (next_at) where next_at is not null;

-- Segments an import fills; the foreign key keeps them from being deleted.
create table import_segments (
  account integer not null,
  import integer not null,
  segment integer not null,
  primary key (import, segment),
  foreign key (account, import) references imports(account, id) on delete cascade,
  foreign key (account, segment) references segments(account, id)
);
create index import_segments_segment on import_segments (account, segment);

-- Fields that the features of an import name.
create table import_fields (
  account integer not null,
  import integer not null,
  field integer not null,
  primary key (import, field),
  foreign key (account, field) references fields(account, id),
  foreign key (account, import) references imports(account, id) on delete cascade
);
create index import_fields_field on import_fields (account, field);

-- Files that were uploaded; the last one of an import is its source. A row goes with its file.
create table import_uploads (
  id integer not null generated always as identity,
  account integer not null,
  import integer not null,
  -- On the wire: ten hexadecimal digits, a low line, and the name it was sent under.
  filename text not null,
  -- Below imports/<account>/<import>/ in the data directory.
  path text not null,
  bytes bigint not null,
  -- Made from maps of a request: its first line names fields, whatever the binding.
  has_header boolean not null default false,
  uploaded_at timestamptz(3) not null,
  -- A file that was sent for a dry run alone: never the source of its import, and gone when the run ends.
  is_trial boolean not null default false,
  primary key (id),
  foreign key (account, import) references imports(account, id) on delete cascade
);
create index import_uploads_import on import_uploads (import, id);

create table import_executions (
  id integer not null generated always as identity,
  account integer not null,
  import integer not null,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3),
  -- 0 processing or waiting, 1 completed, 2 error.
  state smallint not null default 0,
  -- What the run works with, frozen when it was asked for: {"features", "bindings", "source"}.
  content jsonb not null,
  upload integer,
  -- Where the run stands: of the first of two passes over the file, which some features need, this many lines are read.
  surveyed bigint not null default 0,
  is_surveyed boolean not null default false,
  -- Of the stored file; and data lines that are committed, which is where a run goes on.
  bytes bigint not null default 0,
  lines bigint not null default 0,
  total bigint not null default 0,
  created bigint not null default 0,
  updated bigint not null default 0,
  rejected bigint not null default 0,
  duplicates bigint not null default 0,
  skipped bigint not null default 0,
  warnings jsonb not null default '[]'::jsonb,
  error jsonb,
  cancelled boolean not null default false,
  -- A dry run counts what a run would do and writes no contact. It is not the last run of its import, and goes on beside one.
  dry_run boolean not null default false,
  -- Contacts that the run has put on a red list, or flagged.
  blocked bigint not null default 0,
  primary key (id),
  foreign key (account, import) references imports(account, id) on delete cascade,
  foreign key (upload) references import_uploads(id) on delete set null
);
create index import_executions_import on import_executions (import, id);
-- One run per import at a time.
create unique index import_executions_running on import_executions (import, dry_run) where state = 0;

create table import_rejects (
  execution integer not null,
  -- The data line's place in the run, from 1; of several faults of a line, the place of this one.
  ordinal bigint not null,
  position integer not null,
  -- Line of the file it stands on, from 1.
  line bigint not null,
  reason text not null,
  column_name text not null,
  content text not null,
  -- The folded key of the line where it has one, so that an erasure finds it.
  key text,
  primary key (execution, ordinal, "position"),
  foreign key (execution) references import_executions(id) on delete cascade
);
create index import_rejects_key on import_rejects (key) where key is not null;

-- Keys that a run has met: those of contacts which were there before it, or, where the last line of a key counts, all
-- of them with the place of that line. Emptied in the transaction that ends the run: a foreign key would only cost time.
create table import_keys (
  execution integer not null,
  key text collate "C" not null,
  ordinal bigint not null,
  primary key (execution, key)
);

-- Who will be in a segment that a run empties, from its end on. Emptied then.
create table import_members (
  execution integer not null,
  contact bigint not null,
  primary key (execution, contact)
);

create table categories (
  id integer not null generated always as identity,
  account integer not null,
  name text not null,
  name_folded text not null,
  description text,
  is_default boolean not null default false,
  created_at timestamptz(3) not null default now(),
  primary key (id),
  unique (account, id),
  unique (account, name_folded),
  foreign key (account) references accounts(id)
);
create unique index categories_default on categories (account) where is_default;

create table actions (
  -- On the wire six characters of base 36. Never used again, so a deleted action keeps its row.
  id integer not null generated always as identity,
  account integer not null,
  type text not null,
  name text not null,
  description text,
  state smallint not null,
  folder integer not null,
  category integer not null,
  settings jsonb not null,
  content jsonb not null,
  -- Campaigns only: type, startDate, endDate, speed, timeZoneField; the segments are in action_segments.
  scheduler jsonb,
  last_validation jsonb,
  -- The content version that executions and the campaign use, from validation on.
  version integer,
  -- Counts each test or validation, so that a late job of an earlier one changes nothing.
  attempt integer not null default 0,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  started_at timestamptz(3),
  ended_at timestamptz(3),
  sending bigint,
  -- What an action was approved as: {approval, content, criteria}, the latter two hashes (hex) of its content as it is compiled and of the
  -- criteria of its segments. Null where it was validated without an approval.
  approved jsonb,
  -- Campaigns that try several contents (A/B). Of a campaign validated: its content versions by the ids of the experiment's.
  versions jsonb,
  primary key (id),
  unique (account, id),
  foreign key (account, category) references categories(account, id),
  foreign key (account) references accounts(id),
  check (state in (10, 20, 30, 35, 36, 38, 40, 50, 55, 60)),
  check (type in ('mailMessage', 'mailCampaign', 'smsMessage', 'smsCampaign', 'rcsMessage', 'rcsCampaign'))
);
create index actions_account on actions (account, id) where deleted_at is null;
-- What the clockwork looks through several times a second.
create index actions_moving on actions (state)
  where deleted_at is null and ((state in (30, 35, 36, 40, 55)) or state = 50 and (type in ('mailCampaign', 'smsCampaign', 'rcsCampaign')));
-- Those that send with a profile.
create index actions_profile on actions (account, (settings ->> 'profile'))
  where deleted_at is null and (type in ('rcsMessage', 'rcsCampaign'));
create trigger actions_leave_campaigns after update of deleted_at on actions for each row
  when (old.deleted_at is null and new.deleted_at is not null)
  execute function leave_campaigns();
create trigger actions_link_forms after insert on actions for each row execute function link_forms();
create trigger actions_relink_forms after update of content, state, deleted_at on actions
  for each row
  when (old.content is distinct from new.content or old.state <> 60 and new.state = 60 or old.deleted_at is null and new.deleted_at is not null)
  execute function link_forms();
create trigger settle_approval after update of state on actions for each row
  when (old.state = 40 and new.state <> 40)
  execute function settle_approval();
create trigger undo_approval after update of state on actions
  for each row
  when (old.state = 50 and new.state = 20 and new.approved is not null and (new.last_validation ->> 'result') = 'failed')
  execute function undo_approval();

create table action_segments (
  account integer not null,
  action integer not null,
  segment integer not null,
  role text not null,
  position integer not null,
  primary key (action, role, segment),
  foreign key (account, action) references actions(account, id),
  foreign key (account, segment) references segments(account, id),
  check (role in ('selected', 'excluded', 'test'))
);
create index action_segments_segment on action_segments (segment);

-- A frozen content: what was validated or tested, compiled once. Outlives edits and the action's deletion,
-- because links, mirrors and unsubscriptions of what was sent go on working.
create table content_versions (
  id integer not null generated always as identity,
  account integer not null,
  owner integer not null,
  -- Settings, content and resolved sender as they stood.
  source jsonb not null,
  -- [{"id": 1, "name": "...", "type": "redirection", "url": "..." | null}]
  links jsonb not null,
  created_at timestamptz(3) not null,
  -- Contents, sent messages and short links name the kind of what they are of; all there are, are of actions.
  owner_kind text not null default 'action',
  -- What the HTML of a content was made of, if it was made of blocks.
  design json,
  -- Lists of waiting messages read the address field of each one's content: beside the content, which is large and compressed, it is read without it.
  address_field text generated always as (source #>> '{settings,field}'::text[]) stored,
  primary key (id)
);
create index content_versions_owner on content_versions (account, owner);
create trigger content_versions_link_forms after insert on content_versions for each row execute function link_version_forms();

-- The outbox: what is to be sent and has no final outcome yet. A row leaves it in the transaction that records the outcome.
create table messages (
  id bigint not null generated always as identity,
  account integer not null,
  -- 0 urgent, 1 transactional, 2 bulk.
  lane smallint not null,
  channel text not null,
  -- message, campaign, test (a proof), copy.
  kind text not null,
  version integer not null,
  contact bigint,
  -- The address when it is not the contact's own: a proof's mediaForTest, a copy's address.
  address text,
  stamp uuid not null,
  thread uuid not null,
  set uuid not null,
  stamp_time timestamptz(3) not null,
  -- What the request gave: data, variables, blocks, related, headers, subject, content, attachments, important, part.
  request jsonb not null default '{}'::jsonb,
  state text not null default 'queued',
  not_before timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  attempts smallint not null default 0,
  -- The sender that holds a claimed message, and until when.
  claimed_by uuid,
  lease_until timestamptz(3),
  created_at timestamptz(3) not null,
  last_reply text,
  -- The first hand-over that was put off: how long it is tried counts from there, however late its turn came.
  first_tried_at timestamptz(3),
  -- Where it was to go when it was sent back or put off; null: it was not tried yet, or it goes through a relay.
  destination text,
  -- Since when a message is held. Of those held already it is not known: they were made then.
  held_at timestamptz(3),
  sending bigint not null,
  depth smallint not null default 0,
  -- What became of the deliveries that ended while others are left: {"0": "accepted", "2": "refused"}.
  deliveries jsonb,
  -- Its gateway takes it once however often it is sent: with its outcome unknown it is asked again, and never held.
  is_idempotent boolean not null default false,
  -- The places it holds, by kind: {"pressure": "the bucket"}; of a slice one bucket a kind, and a bit for each place that
  -- holds one, in hexadecimal digits: {"pressure": {"key": "...", "places": "ff03"}}. Null: not decided.
  reservations jsonb,
  -- A message that pressure lets wait: by which rule and until when; null while it does not.
  postponement jsonb,
  first_postponed_at timestamptz(3),
  primary key (id),
  foreign key (version) references content_versions(id),
  check (channel in ('email', 'sms', 'rcs', 'notification')),
  check (kind in ('message', 'campaign', 'test', 'copy', 'fallback')),
  check (state in ('queued', 'claimed', 'held'))
);
create index messages_addresses on messages (account, lower(address)) where address is not null;
create index messages_contact on messages (account, contact);
-- Read as a loose index scan: the queues, the oldest message of each, and what is to be flushed.
create index messages_destination on messages (account, lane, destination, created_at) where state = 'queued' and destination is not null;
-- Read as a loose index scan: which sendings wait in a lane, then the due messages of each in turn.
create index messages_due on messages (lane, account, sending, not_before, id) where state = 'queued';
create unique index messages_fallback on messages (account, stamp) where kind = 'fallback';
create index messages_held on messages (account, id) where state = 'held';
create index messages_leases on messages (lease_until) where state = 'claimed';
create index messages_names on messages using gin (named_in(request)) where request ?| '{cc,related,copyTo}'::text[];
create index messages_postponed on messages (account, sending) where postponement is not null;
create index messages_sending on messages (sending, attempts, state);
-- Copies share the stamp of the message they copy.
create unique index messages_stamp on messages (account, stamp) where kind <> ALL (array['copy', 'fallback']);

-- What reached its final outcome and what its mirror page, its joins and its stamp need; kept 400 days.
create table sent_messages (
  account integer not null,
  stamp uuid not null,
  channel text not null,
  kind text not null,
  source integer not null,
  version integer not null,
  contact bigint,
  address text not null,
  -- accepted, refused, cancelled.
  outcome text not null,
  thread uuid not null,
  set uuid not null,
  stamp_time timestamptz(3) not null,
  ended_at timestamptz(3) not null,
  request jsonb not null,
  -- The contact and related values the template used, and the clock it saw.
  values jsonb not null,
  source_kind text not null default 'action',
  -- What became of it: {"channel", "version", "address", "outcome", "at"}.
  fallback jsonb,
  primary key (account, stamp)
);
create index sent_messages_contact on sent_messages (account, contact);
create index sent_messages_ended_at on sent_messages using brin (ended_at);
create index sent_messages_names on sent_messages using gin (named_in(request)) where request ?| '{cc,related}'::text[];
create index sent_messages_proofs on sent_messages (account, lower(address)) where kind = 'test';

-- Addresses too long for a link, or links where every character counts (SMS): what a short code stands for.
create table short_links (
  code text not null,
  account integer not null,
  source integer not null,
  version integer not null,
  contact bigint,
  stamp uuid not null,
  kind text not null,
  is_test boolean not null,
  is_silent boolean not null,
  link integer not null,
  -- Null for links of the service, whose /t/ address is made anew.
  target text,
  created_at timestamptz(3) not null,
  source_kind text not null default 'action',
  primary key (code),
  foreign key (account) references accounts(id)
);
create index short_links_contact on short_links (account, contact);
create index short_links_created_at on short_links (created_at);

-- Addresses a campaign's run has planned, so that two contacts with one address get one message. Emptied when it ends.
create table run_addresses (
  run uuid not null,
  address uuid not null,
  contact bigint not null,
  primary key (run, address)
);

-- Everything that happened, append only, by month of publication. Read and written by features/events alone.
create table events (
  -- uuid version 7 whose time is "at": ids sort as events do.
  id uuid not null,
  -- Publication, by the database's clock.
  at timestamptz(3) not null,
  account integer not null,
  channel text collate "C" not null,
  -- The stored kind: executions, activations, hits/open, ... (the table of kinds).
  kind text collate "C" not null,
  -- Id of the action, RCS action or notification; null for display.
  subject integer,
  contact bigint,
  stamp uuid,
  thread uuid,
  -- Push: the device. RCS: the phone (E.164) and the agent.
  subscription uuid,
  phone text collate "C",
  agent text collate "C",
  -- Human when null, else mpp, gsr, genericrobot. Only hits and interactions have one.
  classification text,
  is_test boolean not null default false,
  -- The "timestamp" of the activation a reaction answers; null when it answers none that is stored.
  activation_at timestamptz(3),
  -- source.detail, whole. As json it is written and read as it is, three times faster than jsonb: nothing queries it.
  detail json not null,
  depth smallint not null default 0,
  -- Of the activation of a push message: its title as it was rendered. No record shows it; the history of a contact does.
  title text,
  primary key (id, at),
  check (channel in ('email', 'sms', 'rcs', 'notification', 'display'))
) partition by range (at);
create index events_channel on events (account, channel, at, id, kind) include (contact, classification, is_test);
create index events_contact on events (account, contact, at, id) include (channel, kind, classification, is_test);
create index events_display_content on events (account, (detail #>> '{activation,content}'::text[]), at, id) where channel = 'display';
-- Events of one placement, or of one content; those of a campaign are found by their subject.
create index events_display_placement on events (account, (detail #>> '{activation,placement}'::text[]), at, id) where channel = 'display';
create index events_phone on events (account, phone, agent, kind, at, id) where channel = 'rcs';
create index events_stamp on events (account, stamp, kind);
-- "kind" comes last: a list of one kind among many is filtered within the index.
create index events_subject on events (account, channel, subject, at, id, kind);
create index events_thread on events (account, thread) where channel = 'rcs';
create trigger events_changed after update on events referencing old table as old_events new table as new_events
  for each statement
  execute function note_changed_events();
create trigger events_deleted after delete on events referencing old table as old_events
  for each statement
  execute function note_deleted_events();
create trigger events_late after insert on events referencing new table as fresh for each statement execute function note_late_events();
create trigger events_listeners after insert on events referencing new table as fresh for each statement execute function queue_events();
create trigger events_noted after update on events referencing old table as old_events
  for each statement
  execute function note_event_changes();

-- Natural keys of events that are written once, kept 40 days.
create table event_keys (
  key uuid not null,
  written_at timestamptz(3) not null default now(),
  primary key (key)
);
create index event_keys_written_at on event_keys using brin (written_at);

-- Hits that the next seconds may show to be a robot's; settled and gone within 3 s.
create table unsettled_hits (
  event uuid not null,
  at timestamptz(3) not null,
  account integer not null,
  stamp uuid not null,
  -- Whose address a person's hit proves good: the contact and the field of the activation.
  contact bigint,
  field integer,
  -- Null as long as it is taken for a person's.
  classification text,
  -- When the request came, and the link's number in its content; null: an open.
  hit_at timestamptz(3) not null,
  link integer,
  -- A keyed hash of the whole address, which is stored nowhere else.
  visitor bytea,
  primary key (event)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
create index unsettled_hits_stamp on unsettled_hits (stamp) where link is not null;
create trigger unsettled_hits_listeners after delete on unsettled_hits referencing old table as settled
  for each statement
  execute function queue_settled_hits();

-- Reactions that were stored before the activation they answer; looked for again from time to time, for five days.
create table early_reactions (
  event uuid not null,
  at timestamptz(3) not null,
  account integer not null,
  stamp uuid not null,
  subscription uuid,
  -- Hits: the instant of the request, and what it is when that is too soon after the activation.
  hit_at timestamptz(3),
  early_ms integer,
  early_class text,
  next_at timestamptz(3) not null,
  primary key (event)
);
create index early_reactions_next_at on early_reactions (next_at);

-- Honeypot links that were followed: who did so is a robot for that stamp; kept ten minutes.
create table sprung_honeypots (
  account integer not null,
  stamp uuid not null,
  visitor bytea not null,
  sprung_at timestamptz(3) not null,
  primary key (account, stamp, visitor)
);
create index sprung_honeypots_sprung_at on sprung_honeypots (sprung_at);

-- Segments whose criteria name another one; the foreign key keeps that one from being deleted.
create table segment_references (
  account integer not null,
  segment integer not null,
  refers_to integer not null,
  primary key (segment, refers_to),
  foreign key (account, refers_to) references segments(account, id),
  foreign key (account, segment) references segments(account, id) on delete cascade
);
create index segment_references_refers_to on segment_references (account, refers_to);

-- Fields that the criteria of a segment name.
create table segment_fields (
  account integer not null,
  segment integer not null,
  field integer not null,
  primary key (segment, field),
  foreign key (account, field) references fields(account, id),
  foreign key (account, segment) references segments(account, id) on delete cascade
);
create index segment_fields_field on segment_fields (account, field);

-- Where an account's files lie that imports pull: a directory, or an SFTP server. Configured by the operator.
create table drop_places (
  account integer not null,
  kind text not null,
  settings jsonb not null,
  -- Credentials, sealed with the master key (AES-256-GCM).
  secrets bytea,
  created_at timestamptz(3) not null default now(),
  primary key (account),
  foreign key (account) references accounts(id),
  check (kind in ('directory', 'sftp'))
);

-- Files that were pulled and still lie in the drop place: put away when their run has ended.
create table import_pulls (
  execution integer not null,
  account integer not null,
  import integer not null,
  folder text not null,
  filename text not null,
  primary key (execution),
  foreign key (execution) references import_executions(id) on delete cascade
);
create index import_pulls_import on import_pulls (import);

-- Work that goes on after its request is answered, in committed batches.
create table jobs (
  id uuid not null,
  account integer not null,
  type text not null,
  state text not null default 'queued',
  created_at timestamptz(3) not null,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  done bigint not null default 0,
  -- Null until it is known.
  total bigint,
  -- What was asked for; emptied at the end, like the position.
  payload json,
  -- Where the next batch begins; null before the first.
  position json,
  result json,
  error json,
  primary key (id),
  foreign key (account) references accounts(id),
  check (state in ('queued', 'running', 'done', 'failed'))
);
-- The jobs of an account, newest first: ids are uuids of version 7, which sort by creation.
create index jobs_account on jobs (account, id);
create index jobs_ended on jobs (ended_at);
create index jobs_open on jobs (created_at) where state in ('queued', 'running');

-- The contacts a job began with, until it ends.
create table job_contacts (
  job uuid not null,
  contact bigint not null,
  -- What the result says of it.
  shown json,
  primary key (job, contact),
  foreign key (job) references jobs(id) on delete cascade
);

-- Who wants to be told of what: webhooks and workflows, each by a name of its own.
create table notice_listeners (
  account integer not null,
  owner text not null,
  type text not null,
  primary key (account, owner, type),
  foreign key (account) references accounts(id)
);
create trigger notice_listeners_delete after delete on notice_listeners referencing old table as changed
  for each statement
  execute function count_listeners();
create trigger notice_listeners_insert after insert on notice_listeners referencing new table as changed
  for each statement
  execute function count_listeners();

-- Changes of contacts and segments, for those who listen; kept 90 days. They hold ids, never values.
create table notices (
  -- uuid version 7: its time is that of the notice, by the database's clock, and ids sort as notices do.
  id uuid not null default uuidv7(),
  account integer not null,
  type text collate "C" not null,
  contact bigint,
  data jsonb not null,
  -- Of the workflow run that caused the change, if one did: see setCause.
  stamp jsonb default NULLIF(NULLIF(current_setting('stentor.cause', true), '')::jsonb -> 'stamp', 'null'::jsonb),
  depth integer not null default coalesce((NULLIF(current_setting('stentor.cause', true), '')::jsonb ->> 'depth')::integer, 0),
  name text collate "C",
  workflow integer,
  -- The transaction that wrote a notice. xmin is that of a savepoint where there was one, which no snapshot tells from one that was over.
  writer xid8 default pg_current_xact_id(),
  primary key (id)
);
create index notices_account on notices (account, id);
create index notices_contact on notices (account, contact, id);
-- What was published by name, beside the change notices.
create index notices_name on notices (account, name, id) where type = 'custom';
-- The workflow whose run published a custom event.
create index notices_workflow on notices (account, workflow, id) where workflow is not null;
create trigger notices_listeners after insert on notices referencing new table as fresh for each statement execute function queue_notices();

-- Contacts that were erased. What is still written of them, by somebody who was under way or of a message they got
-- before, says no more who they were. Ids only, which are never used again; kept for good.
create table erased_contacts (
  account integer not null,
  contact bigint not null,
  primary key (account, contact),
  foreign key (account) references accounts(id)
);

-- Reports that name no message we know: kept 30 days for operators.
create table unmatched_reports (
  id uuid not null,
  received_at timestamptz(3) not null,
  -- Where it came in: mail, sms, rcs.
  door text not null,
  -- What it was taken for: bounce, complaint, unsubscribe, other; failed: it could not be stored.
  kind text not null,
  -- As received, its beginning.
  content bytea not null,
  primary key (id)
);
create index unmatched_reports_received_at on unmatched_reports (received_at);

-- What signs the mail of a sending domain (RFC 6376, RFC 8463): one key for each algorithm, and after a rotation those before.
create table domain_keys (
  id integer not null generated always as identity,
  account integer not null,
  domain text not null,
  algorithm text not null,
  selector text not null,
  -- The `p=` of the record to publish.
  public_key text not null,
  -- PKCS #8 DER, sealed with the master key.
  private_key bytea not null,
  created_at timestamptz(3) not null,
  -- Since when it signs; null until its record was found, for the keys of a rotation.
  activated_at timestamptz(3),
  -- Since when another signs in its place; its record is needed until what it signed has arrived everywhere.
  retired_at timestamptz(3),
  primary key (id),
  unique (domain, selector),
  foreign key (account, domain) references sending_domains(account, domain) on delete cascade,
  check (algorithm in ('rsa-sha256', 'ed25519-sha256')),
  constraint domain_keys_check check (retired_at is null or activated_at is not null)
);
create unique index domain_keys_signing on domain_keys (account, domain, algorithm) where activated_at is not null and retired_at is null;
create unique index domain_keys_waiting on domain_keys (account, domain, algorithm) where activated_at is null;

-- A page that asks a contact for values; links of messages lead to it.
create table forms (
  -- On the wire six characters of base 36.
  id integer not null generated always as identity,
  account integer not null,
  name text not null,
  name_folded text not null,
  -- Texts by language: {"fr": "...", "en": "..."}.
  title jsonb not null,
  introduction jsonb not null,
  submit_label jsonb not null,
  success_message jsonb not null,
  -- Static segment that who answers joins; the foreign key keeps it from being deleted.
  segment integer,
  -- Lists that who answers goes on: mail, sms.
  red_list text[] not null default '{}'::text[],
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (id),
  unique (account, id),
  unique (account, name_folded),
  foreign key (account) references accounts(id),
  foreign key (account, segment) references segments(account, id)
);
create index forms_segment on forms (account, segment) where segment is not null;

create table form_fields (
  account integer not null,
  form integer not null,
  -- Where the field stands in the form.
  position integer not null,
  field integer not null,
  label jsonb not null,
  is_required boolean not null,
  is_prefilled boolean not null,
  primary key (form, "position"),
  unique (form, field),
  foreign key (account, field) references fields(account, id),
  foreign key (account, form) references forms(account, id) on delete cascade
);
create index form_fields_field on form_fields (account, field);

-- Forms that actions link to which are neither deleted nor finished; the foreign key keeps those forms.
create table action_forms (
  account integer not null,
  action integer not null,
  form integer not null,
  primary key (action, form),
  foreign key (account, action) references actions(account, id),
  foreign key (account, form) references forms(account, id)
);
create index action_forms_form on action_forms (account, form);

-- Messages that are kept as they left, octet by octet. The octets are in packs, on disk or in an object storage; a row
-- says where. It is there before the pack is written, so that no octet is ever anywhere without one.
create table archives (
  account integer not null,
  stamp uuid not null,
  id uuid not null,
  action integer not null,
  contact bigint not null,
  -- Contacts (by number) and addresses (lower case) that the message names beside its own: named_in of its request.
  named text[] not null,
  -- Null until the message has left; what never does goes with the daily cleaning.
  sent_at timestamptz(3),
  made_at timestamptz(3) not null,
  -- The pack (uuid version 7: its time tells its directory), the octets there, and how many they are uncompressed.
  pack uuid not null,
  start integer not null,
  length integer not null,
  size integer not null,
  primary key (account, stamp),
  foreign key (account) references accounts(id)
);
create index archives_action on archives (account, action, sent_at, id);
create index archives_contact on archives (account, contact, sent_at, id);
create index archives_named on archives using gin (named) where named <> '{}'::text[];
create index archives_pack on archives (pack);
create index archives_pending on archives (made_at) where sent_at is null;
create index archives_sent on archives (account, sent_at, id) where sent_at is not null;

-- Octets in packs that no row wants any more, to be overwritten; a pack of which nothing is wanted is deleted.
create table archive_wipes (
  account integer not null,
  pack uuid not null,
  start integer not null,
  length integer not null,
  -- When to do it, for the first time or once more: whoever wrote the pack may have been under way.
  due_at timestamptz(3) not null,
  primary key (pack, start)
);
create index archive_wipes_due_at on archive_wipes (due_at);

-- Files of recipients, opens or clicks that were made on demand; kept seven days.
create table action_exports (
  id uuid not null,
  account integer not null,
  action integer not null,
  kind text not null,
  expires_at timestamptz(3) not null,
  primary key (id),
  foreign key (account) references accounts(id),
  check (kind in ('recipients', 'opens', 'clicks'))
);
create index action_exports_action on action_exports (account, action);
create index action_exports_expires_at on action_exports (expires_at);

-- A name for what belongs together; it sends nothing itself.
create table campaigns (
  -- uuid version 7: ids sort by creation.
  id uuid not null,
  account integer not null,
  name text not null,
  description text,
  starts_at timestamptz(3),
  ends_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (id),
  unique (account, id),
  foreign key (account) references accounts(id),
  constraint campaigns_check check (ends_at >= starts_at)
);

-- What a campaign groups: by number, display campaigns by name.
create table campaign_items (
  account integer not null,
  campaign uuid not null,
  -- Where the item stands in the order given; gaps do not matter.
  position integer not null,
  type text not null,
  number integer,
  name text collate "C",
  unique nulls not distinct (campaign, type, number, name),
  foreign key (account, campaign) references campaigns(account, id) on delete cascade,
  constraint campaign_items_check check ((type = 'display') = (number is null) and (type = 'display') = (name is not null)),
  check (type in ('email', 'sms', 'rcs', 'notification', 'workflow', 'display'))
);
create index campaign_items_item on campaign_items (account, type, number, name);

-- What an SMS is called by the gateway it went through, one row a submission: receipts and replies are joined by it.
create table sms_sends (
  account integer not null,
  -- Name of the gateway.
  gateway text not null,
  reference text not null,
  stamp uuid not null,
  contact bigint,
  -- E.164, and what it was sent from: a number, a short code or a name.
  address text not null,
  sender text not null,
  sent_at timestamptz(3) not null,
  primary key (gateway, reference, account)
);
create index sms_sends_address on sms_sends (address, sent_at desc);
create index sms_sends_contact on sms_sends (account, contact);
create index sms_sends_sent_at on sms_sends (sent_at);

-- What came from networks: stored before it is acknowledged, and gone once its events are written.
create table sms_inbox (
  id bigint not null generated always as identity,
  -- The gateway's name, and whose it is: null, the installation's.
  gateway text not null,
  owner integer,
  kind text not null,
  -- As src/gateways/gateway.ts has it.
  report jsonb not null,
  received_at timestamptz(3) not null,
  -- A receipt can be sooner than the record of its message.
  next_at timestamptz(3) not null,
  primary key (id),
  check (kind in ('receipt', 'reply'))
);
create index sms_inbox_next_at on sms_inbox (next_at);

-- Who a campaign is sent to, as its segments were when it began: the ids of its contacts in ascending order, eight bytes
-- each, the highest first. Read in pieces: a million of them are written in half a second, as one value that is not
-- compressed. It goes when all of it is planned.
create table campaign_audiences (
  run uuid not null,
  contacts bytea not null,
  primary key (run)
);

-- Where events are told to: outgoing webhooks. Rewritten at every change of their health, so that pages keep room.
create table webhooks (
  -- uuid version 7: ids sort by creation.
  id uuid not null,
  account integer not null,
  name text not null,
  url text not null,
  -- Kinds, each for all below it, "custom", and types of notices. Empty: all kinds.
  events text[] not null,
  -- Empty: all channels.
  channels text[] not null,
  -- Classes of hits and interactions; "human" for those without one, "all".
  classification text[] not null,
  active boolean not null,
  batch_size integer not null,
  batch_wait_ms integer not null,
  -- Sealed; the one before signs too for 24 hours after a rotation.
  secret bytea not null,
  previous_secret bytea,
  rotated_at timestamptz(3),
  state text not null default 'ok',
  -- Tries that failed since the last success, and the first of them.
  failures integer not null default 0,
  failing_since timestamptz(3),
  -- The receiver asked to be left alone until then.
  hold_until timestamptz(3),
  last_success_at timestamptz(3),
  last_failure_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- Events of a suspended one become dead letters; of an inactive one they are not its business.
  listens boolean not null generated always as (active or state = 'suspended') stored,
  -- Webhooks made before get what they got: an empty list of events without changes of contacts, and records with neither name nor date.
  version smallint not null default 1,
  primary key (id),
  foreign key (account) references accounts(id),
  check (batch_size >= 1 and batch_size <= 500),
  check (batch_wait_ms >= 0 and batch_wait_ms <= 5000),
  check (state in ('ok', 'failing', 'suspended')),
  check (version >= 1 and version <= 2)
) with (fillfactor = 50);
create index webhooks_account on webhooks (account, id);

-- What is told in one request, until it is; a dead letter once it is given up.
create table webhook_deliveries (
  webhook uuid not null,
  -- The "webhook-id" of every try: the event's, or one of its own for a batch.
  id uuid not null,
  events uuid[] not null,
  -- Time of the first event.
  at timestamptz(3) not null,
  tries integer not null default 0,
  first_try_at timestamptz(3),
  next_at timestamptz(3) not null,
  -- A process is trying it, until then at most.
  leased_until timestamptz(3),
  -- What the last try failed of.
  failure text,
  dead_at timestamptz(3),
  primary key (webhook, id),
  foreign key (webhook) references webhooks(id) on delete cascade
);
create index webhook_deliveries_dead on webhook_deliveries (webhook, at, id) where dead_at is not null;
create index webhook_deliveries_dead_at on webhook_deliveries (dead_at) where dead_at is not null;
create index webhook_deliveries_due on webhook_deliveries (webhook, next_at) where dead_at is null;

-- Types of notices that streams asked for, kept a day beyond the last of them so that one can resume.
create table stream_notices (
  account integer not null,
  type text not null,
  used_at timestamptz(3) not null,
  primary key (account, type),
  foreign key (account) references accounts(id)
);

-- What is shown on sites: campaigns, the places of pages, and contents, which lead somewhere. A deleted one keeps its row,
-- so that its tags go on working and its history can be read; so its id is never given again.
create table display_campaigns (
  -- The "subject" of its events.
  number integer not null generated always as identity,
  account integer not null,
  -- The client's, or a uuid.
  id text collate "C" not null,
  name text not null,
  description text,
  active boolean not null,
  starts_at timestamptz(3),
  ends_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (number),
  unique (account, id),
  unique (account, number),
  foreign key (account) references accounts(id),
  constraint display_campaigns_dates check (ends_at >= starts_at)
);
create trigger display_campaigns_leave_campaigns after update of deleted_at on display_campaigns
  for each row
  when (old.deleted_at is null and new.deleted_at is not null)
  execute function display_leaves_campaigns();

create table display_placements (
  -- What tags hold.
  number integer not null generated always as identity,
  account integer not null,
  id text collate "C" not null,
  name text not null,
  description text,
  active boolean not null,
  site text,
  -- Pixels.
  width integer,
  height integer,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (number),
  unique (account, id),
  unique (account, number),
  foreign key (account) references accounts(id)
);

create table display_contents (
  -- What tags hold.
  number integer not null generated always as identity,
  account integer not null,
  id text collate "C" not null,
  name text not null,
  description text,
  active boolean not null,
  campaign integer not null,
  -- Where its tags lead.
  url text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (number),
  unique (account, id),
  unique (account, number),
  foreign key (account, campaign) references display_campaigns(account, number),
  foreign key (account) references accounts(id)
);
create index display_contents_campaign on display_contents (account, campaign);

-- Where a content may be shown; no row: anywhere.
create table display_content_placements (
  account integer not null,
  content integer not null,
  -- Where the placement stands in the order given.
  position integer not null,
  placement integer not null,
  primary key (content, "position"),
  unique (content, placement),
  foreign key (account, content) references display_contents(account, number),
  foreign key (account, placement) references display_placements(account, number)
);
create index display_content_placements_placement on display_content_placements (account, placement);

-- What summaries of reactivities are made of: the counts of each quarter of an hour. Every zone's hours and days begin at a
-- quarter. Made after the fact by features/events/summary-counts.ts: the writing of an event does nothing for it.
create table event_counts (
  account integer not null,
  channel text collate "C" not null,
  subject integer,
  -- Of the quarter. While that goes on it is counted in pieces, each from its own start to that of the next.
  start timestamptz(3) not null,
  -- 'activations', or the kind of reactions that are joined to one. Proofs are left out.
  kind text collate "C" not null,
  -- Events without a class, and with one.
  humans integer not null,
  robots integer not null,
  -- The different contacts of the former, ascending, six bytes each, the highest first.
  contacts bytea not null,
  -- The first and the last activation that these reactions answer; null for activations.
  first_activation_at timestamptz(3),
  last_activation_at timestamptz(3),
  unique nulls not distinct (account, channel, subject, kind, start)
);
create index event_counts_start on event_counts (start);

-- Up to when events are counted. One row.
create table event_counting (
  counted_until timestamptz(3) not null,
  -- Until when days are put together.
  days_until timestamptz(3) not null default '1970-01-01 00:00:00+00'::timestamptz
);

-- Quarters whose events were changed, or written, after they were counted: to be counted again, and read from the events
-- until then. Without a key: whoever notes one waits for nobody.
create table stale_event_counts (
  id bigint not null generated always as identity,
  account integer not null,
  channel text collate "C" not null,
  start timestamptz(3) not null,
  primary key (id)
);

-- Senders that share the limits of destinations, as long as they say that they live.
create table live_senders (
  id uuid not null,
  seen_at timestamptz(3) not null,
  primary key (id)
);

-- How each sender finds its destinations; account null: through the gateway of the installation.
create table destination_states (
  sender uuid not null,
  account integer,
  destination text not null,
  state text not null,
  -- Messages a second, and connections, that the sender uses at most.
  rate double precision not null,
  connections integer not null,
  suspended_until timestamptz(3),
  -- Without addresses.
  last_refusal text,
  last_refusal_at timestamptz(3),
  unique nulls not distinct (sender, account, destination),
  foreign key (account) references accounts(id),
  foreign key (sender) references live_senders(id) on delete cascade,
  check (state in ('open', 'slow', 'suspended'))
);

-- What an operator holds.
create table destination_holds (
  account integer not null,
  destination text not null,
  held_at timestamptz(3) not null,
  primary key (account, destination),
  foreign key (account) references accounts(id)
);

-- Sending domains that send a little more each day; the first day is starts_on (UTC).
create table warm_ups (
  account integer not null,
  domain text not null,
  starts_on date not null,
  primary key (account, domain),
  foreign key (account, domain) references sending_domains(account, domain) on delete cascade
);

-- What was handed over on a day, or is reserved by a sender for what it has at hand.
create table warm_up_counts (
  account integer not null,
  domain text not null,
  destination text not null,
  day date not null,
  sent integer not null,
  primary key (account, domain, destination, day),
  foreign key (account, domain) references warm_ups(account, domain) on delete cascade
);

create table message_slices (
  id bigint not null generated always as identity,
  account integer not null,
  lane smallint not null,
  version integer not null,
  -- What the stamps begin with, and then twelve zeros: in their stead each has digits that nobody can tell who has
  -- another message of the slice.
  stamp_prefix uuid not null default OVERLAY(uuidv7()::text PLACING '000000000000' from 25)::uuid,
  seed uuid not null default gen_random_uuid(),
  -- Ascending. The place in it tells a message's stamp (`slice_stamp`) and its id (`slice_message_id`).
  contacts bigint[] not null,
  not_before timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  claimed_by uuid,
  lease_until timestamptz(3),
  sending bigint not null,
  is_idempotent boolean not null default false,
  reservations jsonb,
  primary key (id),
  unique (account, stamp_prefix),
  foreign key (version) references content_versions(id),
  check (cardinality(contacts) >= 1 and cardinality(contacts) <= 1024)
);
create index message_slices_due on message_slices (lane, account, sending, not_before, id) where claimed_by is null;
create index message_slices_sending on message_slices (sending);

-- The workers of the queue that live: each process that works jobs has a row, and says every few seconds that it is there.
-- The locks of a worker without a row are free: whoever deletes the row ends the worker's connections first.
create table job_workers (
  id uuid not null default uuidv7(),
  -- The name under which it locks jobs and queues; null until it is known, and it locks none before.
  pool text,
  seen_at timestamptz not null default now(),
  primary key (id),
  unique (pool)
);

-- What proves at a start that the configured master keys are those of this database: a known value, sealed with each key
-- that was ever the newest.
create table master_keys (
  number smallint not null,
  sealed bytea not null,
  first_used_at timestamptz(3) not null,
  primary key (number),
  check (number >= 0 and number <= 15)
);

create table sendings (
  id bigint not null generated always as identity,
  account integer not null,
  channel text not null,
  -- What is sent: its kind, and its number there.
  source_kind text not null,
  source integer not null,
  -- message: the open door of what is sent on demand; campaign, test: one run.
  kind text not null,
  -- The content that its messages have unless they name their own.
  version integer not null,
  lane smallint not null,
  -- The "set" of the stamps of a run; null for a door, whose requests have one each.
  run uuid,
  state text not null,
  paused boolean not null default false,
  -- From when on nothing is handed over for the first time.
  ends_at timestamptz(3),
  -- Messages an hour; 0: as fast as gateways allow. When the next one may be handed over.
  speed integer not null default 0,
  next_turn_at timestamptz,
  -- Digits of a clock: each contact's own shows them when its message is due.
  local_start text,
  -- {"selected": [...], "excluded": [...]}: segments, until they are written down as contacts.
  audience jsonb,
  audience_at timestamptz(3),
  -- The plan: the last contact it has reached, and when it was complete.
  planned_through bigint,
  planned_at timestamptz(3),
  created_at timestamptz(3) not null,
  ended_at timestamptz(3),
  -- A campaign may choose between contents: runs of notifications do. Their audience may have the member "application":
  -- contacts with a live subscription of it.
  -- [{"version", "condition"}]: a contact has the first whose condition is true for it, else the version of the sending.
  versions jsonb,
  -- How often a condition could not be evaluated: it was false then.
  failed_conditions bigint not null default 0,
  -- Of a run: how its audience is shared out (`{key, holdout, versions: [{version, share}]}`), how many are held out, and
  -- the content of the rest, once it is decided. Until then the rest waits with the version of the sending.
  shares jsonb,
  held_out bigint not null default 0,
  rest_version integer,
  -- Of a campaign whose messages leave when each contact reads: {start, hours}.
  best_time jsonb,
  primary key (id),
  unique (run),
  foreign key (account) references accounts(id),
  foreign key (rest_version) references content_versions(id),
  foreign key (version) references content_versions(id),
  constraint sendings_check check ((kind = 'message') = (run is null)),
  check (kind in ('message', 'campaign', 'test')),
  check (source_kind in ('action', 'rcs', 'notification')),
  check (state in ('planning', 'running', 'finished', 'cancelled'))
);
-- What periodic tasks look through several times a second.
create index sendings_moving on sendings (id) where kind <> 'message' and (state in ('planning', 'running'));
create unique index sendings_open on sendings (account, source_kind, source) where kind = 'message' and state = 'running';
create index sendings_source on sendings (account, source_kind, source);
create index sendings_version on sendings (version);

-- Sendings that have finished, for the owner of what was sent: its task takes the rows.
create table sending_ends (
  sending bigint not null,
  source_kind text not null,
  source integer not null,
  kind text not null,
  primary key (sending),
  foreign key (sending) references sendings(id) on delete cascade
);

-- How a sending stands, kept as outcomes are recorded.
create table sending_counts (
  sending bigint not null,
  shard smallint not null,
  recipients bigint not null default 0,
  sent bigint not null default 0,
  cancelled bigint not null default 0,
  refused bigint not null default 0,
  held bigint not null default 0,
  last_sent_at timestamptz(3),
  primary key (sending, shard),
  foreign key (sending) references sendings(id) on delete cascade
);

-- What listeners want to be queued. Few rows: one per webhook or workflow, however many of its runs wait.
create table listener_interests (
  account integer not null,
  -- webhook, ...: rows of a kind are taken together.
  kind text not null,
  -- The id of the webhook or workflow.
  owner text not null,
  -- Its rows are queued for it alone, under this id. Null: all such owners of the kind in the account share one row an event.
  listener uuid,
  -- Kinds, each for all below it, "custom", and types of notices. Empty: all kinds.
  events text[] not null,
  -- Empty: all channels.
  channels text[] not null,
  -- Classes of hits and interactions; "human" for those without one, "all".
  classification text[] not null,
  -- Every transaction from this one on queues what is wanted. Null while one may be in progress that published before it
  -- could see this row.
  since xid8,
  primary key (account, kind, owner),
  foreign key (account) references accounts(id)
);

-- Events and notices that wait to be taken, written in the transaction that publishes them and deleted when they are taken.
-- Without a foreign key: it would cost every event a lock.
create table listener_queue (
  id bigint not null generated always as identity,
  account integer not null,
  kind text not null,
  -- Null: for all listeners of the kind in the account.
  listener uuid,
  -- Of a shared row, by the contact: rows of a partition are taken by one taker at a time.
  part smallint,
  event uuid not null,
  -- Of a shared row: the contact, and the send that is the cause.
  contact bigint,
  stamp uuid,
  depth smallint not null,
  queued_at timestamptz(3) not null default clock_timestamp()
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
create unique index listener_queue_own on listener_queue (listener, id) where listener is not null;
create unique index listener_queue_shared on listener_queue (kind, part, account, id) where listener is null;

-- What takes shared rows, until its lease ends; its partitions are free then.
create table listener_takers (
  kind text not null,
  taker uuid not null,
  leased_until timestamptz(3) not null,
  primary key (kind, taker)
);

create table listener_partitions (
  kind text not null,
  part smallint not null,
  taker uuid,
  primary key (kind, part)
);

-- What may follow the end of a message, such as to revoke it, or to send it otherwise.
create table followups (
  account integer not null,
  stamp uuid not null,
  kind text not null,
  -- When there is something to do; null: nothing more.
  due timestamptz(3),
  -- A word of its kind; each step goes from one to another once.
  state text not null default 'pending',
  payload jsonb not null default '{}'::jsonb,
  created_at timestamptz(3) not null default now(),
  lease_until timestamptz(3),
  primary key (account, stamp, kind),
  foreign key (account) references accounts(id)
);
create index followups_created_at on followups using brin (created_at);
create index followups_due on followups (due) where due is not null;

-- Messages a second that all senders together may hand over for a key.
create table rate_limits (
  key text not null,
  tokens double precision not null,
  refilled_at timestamptz not null,
  -- Until when half of the rate holds.
  slowed_until timestamptz,
  primary key (key)
);
create index rate_limits_refilled_at on rate_limits (refilled_at);

-- The agents an account may send RCS messages with, and what is known of phones.
create table rcs_profiles (
  -- By default: secrets are sealed for the id, which is drawn before the row is written.
  id integer not null generated by default as identity,
  account integer not null,
  name text not null,
  name_folded text not null,
  description text,
  agent text collate "C" not null,
  active boolean not null,
  -- ISO 3166-1 alpha-3: how national numbers are read.
  country text not null,
  -- Messages handed over a second; 0: no limit.
  speed integer not null,
  capability_check boolean not null,
  -- How long an answer about a phone is kept; 0: not at all.
  capability_hours integer not null,
  -- {"type": "sms", "sender": ...}; null: no action of this profile may fall back.
  fallback jsonb,
  provider text not null,
  -- Of google-rbm: region, baseUrl, tokenUrl.
  settings jsonb not null,
  fingerprint text,
  -- Sealed.
  credentials bytea,
  client_token bytea,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (id),
  unique (account, id),
  unique (account, name_folded),
  foreign key (account) references accounts(id),
  check (capability_hours >= 0 and capability_hours <= 720),
  check (provider in ('google-rbm', 'capture')),
  check (speed >= 0 and speed <= 5000)
);
create index rcs_profiles_agent on rcs_profiles (account, agent);

-- Tokens of the webhook addresses. One that was replaced works until it expires.
create table rcs_webhook_tokens (
  -- SHA-256 of the token.
  digest bytea not null,
  account integer not null,
  profile integer not null,
  -- The token itself, which the profile shows; null once it was replaced.
  sealed bytea,
  expires_at timestamptz(3),
  primary key (digest),
  foreign key (account, profile) references rcs_profiles(account, id) on delete cascade,
  constraint rcs_webhook_tokens_check check ((sealed is null) = (expires_at is not null))
);
create unique index rcs_webhook_tokens_current on rcs_webhook_tokens (profile) where expires_at is null;
create index rcs_webhook_tokens_profile on rcs_webhook_tokens (account, profile);

-- What providers said of phones, as long as the profile keeps it.
create table rcs_capabilities (
  profile integer not null,
  phone text collate "C" not null,
  account integer not null,
  reachable boolean not null,
  -- Null: only whether it can be reached was asked.
  features text[],
  checked_at timestamptz(3) not null,
  primary key (profile, phone),
  foreign key (account, profile) references rcs_profiles(account, id) on delete cascade
);
-- For the erasure of a contact.
create index rcs_capabilities_phone on rcs_capabilities (account, phone);

-- Mobile applications, what proves us to the services that carry pushes, and the devices that use them.
create table applications (
  id uuid not null,
  account integer not null,
  name text not null,
  name_folded text not null,
  description text,
  active boolean not null default false,
  icon text,
  -- [{"name", "value": {"type", "value"}, "default"}]; null: never given.
  routes jsonb,
  channels jsonb,
  -- What the device route takes: whether anything at all, and the types of identifiers.
  registration_open boolean not null,
  registration_identifiers text[] not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- When somebody ended a rest of the application's providers: answers to pushes of before, recorded later, say nothing of its devices.
  rests_ended_at timestamptz(3),
  -- What a device proves when it names its contact, and the sealed secret that proofs are signed with.
  registration_proof text not null default 'none',
  registration_secret bytea,
  primary key (id),
  unique (account, id),
  unique (account, name_folded),
  foreign key (account) references accounts(id),
  check (registration_identifiers <@ '{id,unicity,hash}'::text[]),
  check (registration_proof in ('none', 'required'))
);

create table application_providers (
  application uuid not null,
  type text not null,
  account integer not null,
  -- Its place in the list.
  position smallint not null,
  -- What is shown of it.
  settings jsonb not null,
  -- Sealed; null while it is missing.
  secret bytea,
  fingerprint text,
  -- Of a certificate.
  expires_at timestamptz(3),
  primary key (application, type),
  foreign key (account, application) references applications(account, id) on delete cascade,
  constraint application_providers_check check ((fingerprint is null) = (secret is null)),
  check (type in ('firebase', 'apns', 'http', 'webpush'))
);

-- One installation of an application.
create table subscriptions (
  account integer not null,
  -- Made by the installation.
  id uuid not null,
  application uuid not null,
  contact bigint,
  provider text not null,
  -- Of webpush the endpoint.
  token text not null,
  -- First 16 bytes of the SHA-256 of the token, which is too long for an index.
  token_digest bytea not null,
  -- Of webpush: {"p256dh", "auth"}.
  keys jsonb,
  culture text,
  protocol text,
  muted boolean not null default false,
  -- Null in it is the default channel of the application itself.
  muted_channels text[] not null default '{}'::text[],
  created_at timestamptz(3) not null,
  -- Null: the device itself.
  created_by integer,
  -- Null until the first change.
  updated_at timestamptz(3),
  updated_by integer,
  -- When a device was put last, where nothing else of it changed with that: a push service may know it as gone from before.
  put_at timestamptz(3),
  primary key (account, id),
  foreign key (account, application) references applications(account, id) on delete cascade,
  foreign key (account, contact) references contacts(account, id) on delete cascade,
  check (provider in ('firebase', 'apns', 'http', 'webpush'))
);
create index subscriptions_application on subscriptions (account, application);
create index subscriptions_contact on subscriptions (account, contact, application) where contact is not null;
create unique index subscriptions_token on subscriptions (application, provider, token_digest);

-- Devices whose contact was unknown: they belong to the one that gets this hash. Kept 90 days.
create table awaited_subscriptions (
  account integer not null,
  subscription uuid not null,
  hash bytea not null,
  awaited_at timestamptz(3) not null,
  primary key (account, subscription),
  foreign key (account, subscription) references subscriptions(account, id) on delete cascade,
  check (length(hash) = 16)
);
create index awaited_subscriptions_hash on awaited_subscriptions (account, hash);

create table pressure_topics (
  id uuid not null,
  account integer not null,
  -- What buckets of counters hold in place of the id.
  number smallint not null,
  label text not null,
  label_folded text not null,
  description text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  created_by text not null,
  modified_by text not null,
  -- Its number stays taken as long as counters may hold it.
  deleted_at timestamptz(3),
  -- Who made and changed it: `{type, id, name}` of a person or a key; null: it was made before that was kept.
  creator jsonb,
  modifier jsonb,
  primary key (id),
  unique (account, number),
  foreign key (account) references accounts(id),
  check (number >= 1 and number <= 8191)
);
create unique index pressure_topics_label on pressure_topics (account, label_folded) where deleted_at is null;

create table pressure_rules (
  id uuid not null,
  account integer not null,
  label text not null,
  label_folded text not null,
  active boolean not null,
  predicate jsonb not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  created_by text not null,
  modified_by text not null,
  creator jsonb,
  modifier jsonb,
  primary key (id),
  unique (account, label_folded),
  foreign key (account) references accounts(id)
);

-- What was sent to a contact in the last 92 days: one number a quarter of an hour, channel, purpose and topic, oldest
-- first. Of its 52 bits 22 are the quarter of an hour since 1970, 2 the channel, 1 the purpose, 13 the topic, 14 the count.
create table pressure_counters (
  account integer not null,
  contact bigint not null,
  buckets bigint[] not null default '{}'::bigint[],
  primary key (account, contact)
) with (fillfactor = 70);

-- Push messages to those who use a mobile application.
create table notifications (
  id integer not null generated by default as identity,
  account integer not null,
  name text not null,
  description text,
  active boolean not null default false,
  application uuid,
  urgent boolean not null,
  purpose text not null,
  -- As it was given: {"type", "value"}.
  expiration jsonb,
  -- What was given of it; the rest follows from the purpose.
  mp jsonb not null,
  culture text not null,
  -- {"id", "name", "description", "scheduler"}; its segments are rows.
  task jsonb,
  -- [{"id", "name", "master", "condition", "content", "redirection", "channel"}], exactly one of them the master.
  versions jsonb not null,
  -- Numbers of the content versions that messages are made from, by the ids of the versions; {}: none since the last change.
  frozen jsonb not null default '{}'::jsonb,
  last_run_at timestamptz(3),
  -- When its task starts by itself; null: not, or not again.
  next_run_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (id),
  unique (account, id),
  foreign key (account) references accounts(id),
  constraint notifications_check check (next_run_at is null or active and deleted_at is null),
  check (purpose in ('marketing', 'service'))
);
create index notifications_application on notifications (account, application) where deleted_at is null;
create index notifications_due on notifications (next_run_at) where next_run_at is not null;
create trigger notifications_leave after update of deleted_at on notifications
  for each row
  when (old.deleted_at is null and new.deleted_at is not null)
  execute function leave_notification();

-- Who a task goes to.
create table notification_segments (
  account integer not null,
  notification integer not null,
  segment integer not null,
  excluded boolean not null,
  position smallint not null,
  primary key (account, notification, excluded, segment),
  foreign key (account, notification) references notifications(account, id) on delete cascade,
  foreign key (account, segment) references segments(account, id)
);
create index notification_segments_segment on notification_segments (account, segment);

-- Reports of RCS that wait until they are recorded as events: moments, or until their message is recorded.
create table rcs_inbox (
  id bigint not null generated always as identity,
  -- SHA-256 of what makes a report this one: account, agent, message, event and type.
  digest bytea not null,
  account integer not null,
  report jsonb not null,
  received_at timestamptz(3) not null,
  next_at timestamptz(3) not null,
  primary key (id),
  unique (digest),
  foreign key (account) references accounts(id)
);
create index rcs_inbox_next_at on rcs_inbox (next_at);

-- Providers of applications that rest, as too many devices were said to be gone: nothing leaves through them.
create table push_rests (
  account integer not null,
  application uuid not null,
  provider text not null,
  rested_at timestamptz(3) not null,
  primary key (application, provider),
  foreign key (account, application) references applications(account, id) on delete cascade
);

-- Pushes of a provider that were answered in ten seconds, and those of them whose device was gone. Kept 10 minutes.
-- The shard is that of who counts, so that senders do not wait for each other.
create table push_attempts (
  application uuid not null,
  provider text not null,
  began_at timestamptz(0) not null,
  shard smallint not null,
  answered integer not null,
  gone integer not null,
  primary key (application, provider, began_at, shard)
);

-- Subscriptions that were deleted as their device was gone. Kept 10 minutes, in which they may come back.
create table gone_subscriptions (
  account integer not null,
  id uuid not null,
  application uuid not null,
  contact bigint,
  provider text not null,
  token text not null,
  token_digest bytea not null,
  keys jsonb,
  culture text,
  protocol text,
  muted boolean not null,
  muted_channels text[] not null,
  created_at timestamptz(3) not null,
  created_by integer,
  updated_at timestamptz(3),
  updated_by integer,
  -- What it awaited.
  awaited_hash bytea,
  awaited_at timestamptz(3),
  deleted_at timestamptz(3) not null,
  put_at timestamptz(3),
  primary key (account, id),
  foreign key (account, application) references applications(account, id) on delete cascade,
  foreign key (account, contact) references contacts(account, id) on delete cascade
);
create index gone_subscriptions_contact on gone_subscriptions (account, contact) where contact is not null;
create index gone_subscriptions_deleted_at on gone_subscriptions (deleted_at);
create index gone_subscriptions_provider on gone_subscriptions (application, provider);

-- Providers of applications whose credentials were refused so often in a row that all senders let them rest. A row stays until
-- a push is taken again, as each rest is longer than the one before.
create table push_refusals (
  account integer not null,
  application uuid not null,
  provider text not null,
  -- In a row.
  rests integer not null,
  rests_until timestamptz(3) not null,
  primary key (application, provider),
  foreign key (account, application) references applications(account, id) on delete cascade
);

-- Graphs of nodes that runs carry contacts through.
create table workflows (
  id integer not null generated by default as identity,
  account integer not null,
  name text not null,
  description text,
  state smallint not null default 0,
  -- The current row of workflow_versions.
  version integer not null default 1,
  -- Since when it is as active or inactive as it is.
  state_since timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  kills integer not null default 0,
  killing text,
  primary key (id),
  unique (account, id),
  foreign key (account) references accounts(id),
  constraint workflows_check check (state = 0 or deleted_at is null),
  check (killing in ('deactivated', 'deleted')),
  check (state in (0, 1))
);
create index workflows_account on workflows (account, id) where deleted_at is null;
-- How workflows stop, and what of them is forgotten.
-- How often its open runs were killed: runs that began under a lower count are not performed any more.
-- What became of the workflow whose runs of lower counts are still to be killed, or deleted; null: none is left.
create index workflows_killing on workflows (id) where killing is not null;
create trigger workflows_leave_campaigns after update of deleted_at on workflows
  for each row
  when (old.deleted_at is null and new.deleted_at is not null)
  execute function leave_campaigns_with_workflow();

-- What a workflow did or does: {"scripting", "settings", "listeners", "tasks", "nodes", "capping"}. Secrets in it are sealed.
create table workflow_versions (
  account integer not null,
  workflow integer not null,
  version integer not null,
  definition jsonb not null,
  created_at timestamptz(3) not null,
  -- When the next one took its place; null: it is current.
  replaced_at timestamptz(3),
  primary key (workflow, version),
  foreign key (account, workflow) references workflows(account, id) on delete cascade
);

-- The segments that the current version names.
create table workflow_segments (
  account integer not null,
  workflow integer not null,
  segment integer not null,
  primary key (workflow, segment),
  foreign key (account, segment) references segments(account, id),
  foreign key (account, workflow) references workflows(account, id) on delete cascade
);
create index workflow_segments_segment on workflow_segments (account, segment);

-- Runs of workflows. A worker takes what is due, performs nodes, and writes where each run stands, in one transaction with the
-- effects. Rows of ended runs stay 90 days; their waits and entries do not.
create table workflow_runs (
  account integer not null,
  id uuid not null,
  -- Number of the workflow, and the version the run goes by.
  workflow integer not null,
  version integer not null,
  -- Null: a run without contact, or its contact was deleted.
  contact bigint,
  -- What re-entry and concurrency count by; null: they are not checked.
  entry_key text collate "C",
  status text not null,
  reason text,
  outcome text,
  -- Where it stands, and what is to be done there: enter the node; find that a request which must not be repeated was begun; look
  -- for stored events that end its wait; go on when it ends; try again.
  node text collate "C" not null,
  phase text not null,
  visit integer not null default 1,
  attempt smallint not null default 1,
  entered_at timestamptz(3),
  -- How many of its waits have to happen.
  needed smallint not null default 1,
  -- What the pause of its node remembers.
  memo jsonb,
  -- Visits of all nodes, and of each.
  steps integer not null default 0,
  visits jsonb not null default '{}'::jsonb,
  data jsonb not null default '{}'::jsonb,
  state jsonb not null default '{}'::jsonb,
  variables jsonb not null default '{}'::jsonb,
  event jsonb,
  last jsonb,
  -- Stamps of its sends by node: a wait may be for what becomes of one.
  sends jsonb,
  start_type text not null,
  start_id text,
  depth smallint not null default 0,
  stamp uuid not null,
  stamp_time timestamptz(3) not null,
  thread uuid not null,
  set uuid not null,
  -- The place in the log of events when it left its last effect or wait, or started: events behind it have a later time, or were
  -- not committed in the snapshot.
  mark_at timestamptz(3) not null,
  mark_event uuid,
  mark_snapshot text,
  -- The end of its wait or pause; null: none but its own end.
  wake timestamptz(3),
  expires_at timestamptz(3) not null,
  -- How often this row was written: who read it before another did has lost it.
  moves integer not null default 0,
  -- What happened that it is to be told of when it is taken next: {type: move, handler, event}.
  interrupt jsonb,
  -- The goal it has reached.
  goal text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  ended_at timestamptz(3),
  kills integer not null default 0,
  primary key (account, id),
  foreign key (account) references accounts(id),
  check (phase in ('enter', 'cleared', 'begun', 'look', 'wait', 'retry')),
  check (start_type in ('execution', 'listener', 'task')),
  check (status in ('running', 'waiting', 'completed', 'failed', 'killed', 'expired', 'capped'))
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
create index workflow_runs_contact on workflow_runs (account, contact, workflow) where contact is not null;
create index workflow_runs_created on workflow_runs (workflow, account, created_at, id);
create index workflow_runs_ended on workflow_runs (ended_at) where ended_at is not null;
-- Open runs of a workflow by version: what it has to be told of, and what a change of it concerns.
create index workflow_runs_open on workflow_runs (account, workflow, version) where ended_at is null;
-- The stamp of a start starts one run.
create unique index workflow_runs_stamp on workflow_runs (stamp, account);

-- When open runs are to be taken by a worker: at the end of a wait, or of the lease of the worker that has one. Apart from the runs,
-- so that these are written without a change of their indexes. Due null: its workflow is inactive.
create table workflow_timers (
  account integer not null,
  run uuid not null,
  due timestamptz(3),
  claimed_by uuid,
  parked integer,
  primary key (account, run),
  foreign key (account, run) references workflow_runs(account, id) on delete cascade
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
create index workflow_timers_due on workflow_timers (account, due) where due is not null;
create index workflow_timers_parked on workflow_timers (account, parked, run) where parked is not null;

-- What runs wait for: a row for each wait of the node they stand at, and for each goal of their workflow.
create table workflow_waits (
  account integer not null,
  run uuid not null,
  -- Id of the wait within its node; of a goal its node. Goals stay while the run is open.
  id text collate "C" not null,
  is_goal boolean not null default false,
  node text collate "C" not null,
  -- Version whose node holds the filter.
  workflow integer not null,
  version integer not null,
  -- Type of event, as listeners name it.
  type text collate "C" not null,
  correlation text not null,
  contact bigint,
  -- The thread or the send.
  key uuid,
  -- Events behind this place count.
  since_at timestamptz(3) not null,
  since_event uuid,
  since_snapshot text,
  until_at timestamptz(3),
  -- Stored events have been looked at: what is published from now on is matched as it comes.
  is_looked_at boolean not null default false,
  -- What happened.
  event jsonb,
  primary key (account, run, is_goal, id),
  foreign key (account, run) references workflow_runs(account, id) on delete cascade,
  check (correlation in ('contact', 'thread', 'send', 'none'))
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05);
create index workflow_waits_any on workflow_waits (account, type) where correlation = 'none';
create index workflow_waits_contact on workflow_waits (account, contact, type) where correlation = 'contact';
create index workflow_waits_key on workflow_waits (account, key, type) where correlation in ('thread', 'send');

-- What runs did, in order: entries of the nodes that one transaction performed.
create table workflow_traces (
  account integer not null,
  run uuid not null,
  seq integer not null,
  entries jsonb not null,
  primary key (account, run, seq),
  foreign key (account, run) references workflow_runs(account, id) on delete cascade
);

-- Starts by the key of entry: open runs now, the last start, and that there was one.
create table workflow_entries (
  account integer not null,
  workflow integer not null,
  key text collate "C" not null,
  open integer not null default 0,
  last_start timestamptz(3),
  primary key (account, workflow, key)
) with (fillfactor = 85);

-- Counts by hour. Workers add rows to the deltas; a job adds those up.
create table workflow_counts (
  account integer not null,
  workflow integer not null,
  version integer not null,
  hour timestamptz(0) not null,
  -- run, refused, node, output, listener, task; then which one, and what of it.
  subject text collate "C" not null,
  id text collate "C" not null,
  name text collate "C" not null,
  n bigint not null,
  primary key (account, workflow, version, hour, subject, id, name)
);

create table workflow_count_deltas (
  id bigint not null generated always as identity,
  account integer not null,
  workflow integer not null,
  version integer not null,
  hour timestamptz(0) not null,
  subject text collate "C" not null,
  entry text collate "C" not null,
  name text collate "C" not null,
  n bigint not null,
  primary key (id)
);

-- Increments of capping: one row a key, with the moments of its increments and whose they are.
create table workflow_cappings (
  account integer not null,
  workflow integer not null,
  capping uuid not null,
  key text collate "C" not null,
  primary key (account, workflow, capping, key)
) with (fillfactor = 85);

-- Visits that took the first way of a sample by count.
create table workflow_samples (
  account integer not null,
  workflow integer not null,
  node text collate "C" not null,
  taken integer not null default 0,
  primary key (account, workflow, node)
);

-- Tasks of active workflows with the moment they fire next; those of inactive ones keep what they did last.
create table workflow_tasks (
  account integer not null,
  workflow integer not null,
  task text collate "C" not null,
  next_run timestamptz(3),
  last_run timestamptz(3),
  -- The fire that waits for the firing before to end.
  queued_run timestamptz(3),
  primary key (account, workflow, task)
);
create index workflow_tasks_next on workflow_tasks (next_run) where next_run is not null;
create index workflow_tasks_queued on workflow_tasks (account, workflow, task) where queued_run is not null;

-- One firing of a task: its rows become runs behind a cursor.
create table workflow_firings (
  account integer not null,
  id uuid not null,
  workflow integer not null,
  version integer not null,
  task text collate "C" not null,
  -- The minute of the scheduler; null: asked for by a request.
  minute timestamptz(0),
  state text not null,
  reason text,
  row_limit integer,
  rows integer not null default 0,
  started integer not null default 0,
  skipped integer not null default 0,
  refused integer not null default 0,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3),
  claimed_by uuid,
  lease_until timestamptz(3),
  -- A firing reads its rows once, in batches, which become runs one after the other: who is in a segment or fits criteria is decided
  -- then, and a row is read once whatever changes meanwhile. The batches go when the firing ends.
  -- How many batches there are; null: its rows are still to be read.
  batches integer,
  -- How many of them have become runs.
  done integer not null default 0,
  primary key (account, id),
  check (state in ('running', 'completed', 'failed'))
);
-- Firings are kept for a while after they end.
create index workflow_firings_ended on workflow_firings (ended_at) where ended_at is not null;
create unique index workflow_firings_minute on workflow_firings (account, workflow, task, minute) where minute is not null;
create index workflow_firings_running on workflow_firings (account, workflow, task) where state = 'running';

-- Increments of capping are rows: a key may have any number of them in its period. The row of a key is what those lock who count
-- under it.
create table workflow_increments (
  account integer not null,
  workflow integer not null,
  capping uuid not null,
  key text collate "C" not null,
  at timestamptz(3) not null,
  -- Stamp of the send, or the same of a visit of another node.
  owner uuid not null,
  increment integer not null,
  -- Out of every period that counts it.
  drop_at timestamptz(0) not null,
  primary key (account, workflow, capping, key, at, owner) include (increment)
);
create index workflow_increments_drop on workflow_increments (drop_at);

-- How many runs of an account are open, as of the counts that were added up last: a bound, not a figure to the run.
create table workflow_open_runs (
  account integer not null,
  n bigint not null default 0,
  primary key (account),
  foreign key (account) references accounts(id)
) with (fillfactor = 80);

create table workflow_firing_batches (
  account integer not null,
  firing uuid not null,
  nth integer not null,
  -- Rows of contacts, ascending; or rows as the provider gave them.
  contacts bigint[],
  rows jsonb,
  primary key (account, firing, nth),
  foreign key (account, firing) references workflow_firings(account, id) on delete cascade,
  constraint workflow_firing_batches_check check ((contacts is null) <> (rows is null))
);

create table workflow_experiments (
  account integer not null,
  workflow integer not null,
  node text collate "C" not null,
  fingerprint text not null,
  -- Of the latest visit: which branches there are, and how they are tried.
  settings jsonb not null,
  state jsonb not null default '{}'::jsonb,
  computed_at timestamptz(3),
  primary key (account, workflow, node, fingerprint)
);

create table workflow_experiment_visits (
  account integer not null,
  workflow integer not null,
  node text collate "C" not null,
  fingerprint text not null,
  run uuid not null,
  visit integer not null,
  -- '': held out.
  branch text collate "C" not null,
  contact bigint,
  metric text not null,
  at timestamptz(3) not null,
  until timestamptz(3) not null,
  converted_at timestamptz(3),
  -- 0: not yet, 1: as a visit, 2: as a visit that converted.
  counted smallint not null default 0,
  primary key (account, workflow, node, fingerprint, run, visit)
);
-- Visits of a contact that is deleted are emptied of it.
create index workflow_experiment_visits_contact on workflow_experiment_visits (contact, account) where contact is not null;
create index workflow_experiment_visits_due on workflow_experiment_visits (until) where counted = 0;
create index workflow_experiment_visits_late on workflow_experiment_visits (account) where counted = 1 and converted_at is not null;
-- Visits that are counted are deleted a day after their metric's period, unless their run is open.
create index workflow_experiment_visits_old on workflow_experiment_visits (until) where counted > 0;
create index workflow_experiment_visits_open on workflow_experiment_visits (account, contact, metric) where converted_at is null;
create index workflow_experiment_visits_pending on workflow_experiment_visits (account, workflow, node, fingerprint, branch)
  where counted = 0;

-- Dynamic segments whose entries and exits are published: who wants them, since when. A watch that begins records the members of
-- that moment, and publishes what changes afterwards.
create table segment_watchers (
  account integer not null,
  owner text collate "C" not null,
  segment integer not null,
  since timestamptz not null default clock_timestamp(),
  primary key (account, owner, segment),
  foreign key (account, segment) references segments(account, id) on delete cascade
);
create index segment_watchers_segment on segment_watchers (segment, account);

-- One row a watched segment: it is locked while the segment is compared. It stays behind a deleted segment until what is kept of it
-- is deleted.
create table watched_segments (
  segment integer not null,
  account integer not null,
  due_at timestamptz(3) not null,
  -- After a failure.
  not_before timestamptz(3),
  -- As of when the members below are known.
  computed_at timestamptz,
  has_changes boolean not null default false,
  primary key (segment)
);

-- The last known members. A contact that is deleted is taken out by the next comparison.
create table watched_members (
  segment integer not null,
  contact bigint not null,
  primary key (segment, contact)
);

-- What a comparison found and is not published yet.
create table watched_changes (
  segment integer not null,
  contact bigint not null,
  is_entry boolean not null,
  primary key (segment, contact)
);

-- Scripts of an account that run on demand. Secrets in `scripting` are sealed.
create table webtasks (
  id integer not null generated by default as identity,
  account integer not null,
  name text not null,
  description text,
  scripting jsonb not null,
  settings jsonb not null,
  source text not null,
  -- Its tokens hold it; a new one ends them.
  cipher_id bytea not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- The person who wrote last what a script does; null: a key did.
  written_by uuid,
  primary key (id),
  unique (account, id),
  unique (cipher_id),
  foreign key (account) references accounts(id),
  check (octet_length(cipher_id) = 16)
);

-- Webtasks whose scripts others import.
create table webtask_imports (
  account integer not null,
  webtask integer not null,
  imported integer not null,
  primary key (webtask, imported),
  foreign key (account, imported) references webtasks(account, id),
  foreign key (account, webtask) references webtasks(account, id) on delete cascade
);
create index webtask_imports_imported on webtask_imports (account, imported);

-- Webtasks that active workflows name, in nodes and imports.
create table workflow_webtasks (
  account integer not null,
  workflow integer not null,
  webtask integer not null,
  primary key (workflow, webtask),
  foreign key (account, webtask) references webtasks(account, id),
  foreign key (account, workflow) references workflows(account, id) on delete cascade
);
create index workflow_webtasks_webtask on workflow_webtasks (account, webtask);

-- What runs of webtasks came to: the last ones of each outcome, for a week. They outlive their webtask unseen. What scripts wrote is
-- json: jsonb does not take every text.
create table webtask_runs (
  nth bigint not null generated always as identity,
  account integer not null,
  webtask integer not null,
  -- The stamp, where the caller gave one.
  id uuid not null,
  at timestamptz(3) not null,
  origin text not null,
  -- Of a workflow.
  origin_id integer,
  -- Receiver and related.
  contacts bigint[] not null,
  outcome text not null,
  duration_ms integer not null,
  error_type text,
  error json,
  logs json not null,
  primary key (nth),
  constraint webtask_runs_check check ((error_type is null) = (outcome = 'success')),
  check (origin in ('api', 'public', 'workflow')),
  check (outcome in ('success', 'error'))
);
create index webtask_runs_at on webtask_runs (at);
create index webtask_runs_listed on webtask_runs (account, webtask, outcome, at, nth);

-- Stamps that callers gave, for a day: a second run with one is answered as the first. Who has taken a stamp has a claim on it until
-- there is a result; one that stands too long is of a process that died.
create table webtask_stamps (
  account integer not null,
  stamp uuid not null,
  claim uuid not null,
  claimed_at timestamptz(3) not null,
  contacts bigint[] not null,
  result json,
  primary key (account, stamp)
);
create index webtask_stamps_claimed on webtask_stamps (claimed_at);

-- Pipelines, templates and scripts that give values.
create table compilables (
  id uuid not null,
  account integer not null,
  name text not null,
  description text,
  -- What it does, and what a preview begins with: json keeps the order of members. Secrets are sealed.
  value json not null,
  preview json not null,
  -- Counts its writes.
  version integer not null default 1,
  state text not null,
  -- What the state was found by (src/features/pipelines/uses.ts); null: it is to be found.
  basis text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  written_by uuid,
  primary key (id),
  unique (account, id),
  foreign key (account) references accounts(id),
  check (state in ('draft', 'ready'))
);

-- What compilables use: it may go at any time, and the state follows. `used` is the id of it.
create table compilable_uses (
  account integer not null,
  compilable uuid not null,
  kind text not null,
  used text collate "C" not null,
  primary key (compilable, kind, used),
  foreign key (account, compilable) references compilables(account, id) on delete cascade,
  check (kind in ('compilable', 'segment', 'action', 'rcsAction', 'notification', 'valueList', 'webtask'))
);
create index compilable_uses_used on compilable_uses (account, kind, used);

-- Compilables that active workflows name, in nodes and tasks.
create table workflow_compilables (
  account integer not null,
  workflow integer not null,
  compilable uuid not null,
  primary key (workflow, compilable),
  foreign key (account, compilable) references compilables(account, id),
  foreign key (account, workflow) references workflows(account, id) on delete cascade
);
create index workflow_compilables_compilable on workflow_compilables (account, compilable);

-- People sign in; what they may do is their role in an account. Of every token the digest alone is kept.
create table people (
  id uuid not null,
  -- As it was given but for the case, which is folded.
  email text not null,
  name text not null,
  locale text not null,
  active boolean not null default true,
  operator boolean not null default false,
  -- A PHC string of argon2id; null: signs in by passkey or provider only.
  password text,
  -- A mail to the address was read, or a provider says that it is theirs.
  email_confirmed boolean not null default false,
  created_at timestamptz(3) not null,
  last_sign_in_at timestamptz(3),
  primary key (id),
  unique (email),
  check (locale in ('en', 'fr'))
);
-- People whose email is stored in another form are found by their own address.
create index people_address on people (address_key(email));

create table memberships (
  account integer not null,
  person uuid not null,
  role text not null,
  -- `provider`: made, changed and taken away by what an OpenID provider says.
  source text not null,
  created_at timestamptz(3) not null,
  primary key (account, person),
  foreign key (account) references accounts(id),
  foreign key (person) references people(id) on delete cascade,
  check (role in ('viewer', 'author', 'sender', 'admin')),
  check (source in ('hand', 'provider'))
);
create index memberships_person on memberships (person);

create table invitations (
  id uuid not null,
  account integer not null,
  email text not null,
  role text not null,
  digest bytea not null,
  -- The link went to the address and nowhere else: who has it reads that mail.
  mailed boolean not null default false,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (id),
  unique (account, email),
  unique (digest),
  foreign key (account) references accounts(id),
  check (role in ('viewer', 'author', 'sender', 'admin'))
);

-- Links that work once: to set up the first person (no person), or to give a new password.
create table person_links (
  digest bytea not null,
  person uuid,
  mailed boolean not null default false,
  expires_at timestamptz(3) not null,
  primary key (digest),
  foreign key (person) references people(id) on delete cascade
);
create index person_links_person on person_links (person);

create table sessions (
  id uuid not null,
  person uuid not null,
  digest bytea not null,
  -- What was given beside the password: `provider` says that an OpenID provider asked for one.
  factor text not null,
  browser text not null,
  address text not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  -- When a password or passkey was given last.
  confirmed_at timestamptz(3),
  primary key (id),
  unique (digest),
  foreign key (person) references people(id) on delete cascade,
  check (factor in ('none', 'totp', 'passkey', 'recovery', 'provider'))
);
create index sessions_old on sessions (last_used_at);
create index sessions_person on sessions (person);

-- A password was right, and the second factor is awaited.
create table sign_in_attempts (
  digest bytea not null,
  person uuid not null,
  failures smallint not null default 0,
  -- A password was given; null after a provider.
  confirmed_at timestamptz(3),
  created_at timestamptz(3) not null,
  -- An invitation that is taken once the second factor was given; without it there is nothing to go on with.
  invitation uuid,
  primary key (digest),
  foreign key (invitation) references invitations(id) on delete cascade,
  foreign key (person) references people(id) on delete cascade
);
create index sign_in_attempts_invitation on sign_in_attempts (invitation) where invitation is not null;

-- Tries that failed, or have not ended: by a keyed hash of the email, the address, or the known browser.
create table sign_in_failures (
  id bigint not null generated always as identity,
  scope bytea not null,
  at timestamptz(3) not null,
  primary key (id)
);
create index sign_in_failures_old on sign_in_failures (at);
create index sign_in_failures_scope on sign_in_failures (scope, at);

create table totp_secrets (
  person uuid not null,
  -- In force; null until a first code was right.
  sealed bytea,
  -- Shown, and in force with its first code.
  proposed bytea,
  -- The last step of time whose code was taken: none before it is.
  last_step bigint not null default 0,
  primary key (person),
  foreign key (person) references people(id) on delete cascade
);

create table recovery_codes (
  person uuid not null,
  digest bytea not null,
  primary key (person, digest),
  foreign key (person) references people(id) on delete cascade
);

create table passkeys (
  id uuid not null,
  person uuid not null,
  -- As the authenticator names it, and its public key (COSE).
  credential text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  primary key (id),
  unique (credential),
  foreign key (person) references people(id) on delete cascade
);
create index passkeys_person on passkeys (person);

-- Each is taken once. Of a registration with its person.
create table passkey_challenges (
  challenge text not null,
  person uuid,
  expires_at timestamptz(3) not null,
  primary key (challenge),
  foreign key (person) references people(id) on delete cascade
);

-- Who somebody is at an OpenID provider.
create table provider_identities (
  issuer text not null,
  subject text not null,
  person uuid not null,
  created_at timestamptz(3) not null,
  primary key (issuer, subject),
  foreign key (person) references people(id) on delete cascade
);
create index provider_identities_person on provider_identities (person);

-- Sign-ins that have gone to the provider: each comes back once, to the browser that began.
create table provider_states (
  digest bytea not null,
  browser bytea not null,
  -- Nonce, verifier and destination, sealed.
  sealed bytea not null,
  created_at timestamptz(3) not null,
  primary key (digest)
);

-- What people ask others to let be sent. One waits for each object at a time.
create table approvals (
  id uuid not null,
  account integer not null,
  kind text not null,
  object integer not null,
  -- The object's name when it was asked for.
  name text not null,
  state text not null default 'waiting',
  -- SHA-256 of the definition, of the criteria of its segments, and of the content that is compiled.
  version bytea not null,
  -- Contacts of its segments when it was asked for; null where it names none.
  audience bigint,
  comment text,
  -- {type, id, name}
  asked_by jsonb not null,
  asked_at timestamptz(3) not null,
  decided_by jsonb,
  decided_at timestamptz(3),
  decision_comment text,
  -- Of an action that is compiled after the decision.
  attempt integer,
  -- What an approved one came to.
  outcome text,
  primary key (id),
  foreign key (account) references accounts(id),
  constraint approvals_check check ((state in ('approved', 'refused')) = (decided_by is not null and decided_at is not null)),
  constraint approvals_check1 check ((state = 'approved') = (outcome is not null)),
  check (kind in ('action', 'rcs', 'notification', 'workflow')),
  check (outcome in ('running', 'done', 'failed')),
  check (state in ('waiting', 'approved', 'refused', 'stale'))
);
create index approvals_newest on approvals (account, id desc);
create index approvals_running on approvals (object, attempt) where outcome = 'running';
create unique index approvals_waiting on approvals (account, kind, object) where state = 'waiting';

-- Who wrote what, when and from where. A row is written in the transaction of what it tells, and never changed.
create table audit (
  id bigint not null generated always as identity,
  -- Null: the installation's.
  account integer,
  at timestamptz(3) not null,
  actor_type text collate "C" not null,
  actor_id text collate "C",
  actor_name text,
  -- Where the request came from, and its id; null for what did not come over HTTP.
  address text collate "C",
  request text,
  -- Method and path template; of the command line its words.
  operation text not null,
  object_type text collate "C",
  object_id text collate "C",
  object_name text,
  -- By pointer (RFC 6901), in order: the value before and the one after. Secrets and addresses are masked.
  changes json not null default '{}'::json,
  -- Changes that did not fit.
  omitted integer not null default 0,
  outcome text collate "C" not null,
  -- The kind of problem that refused it.
  problem text,
  primary key (id),
  foreign key (account) references accounts(id),
  check (actor_type in ('person', 'key', 'system', 'command')),
  check (octet_length(changes::text) <= 16384),
  constraint audit_check check ((outcome = 'refused') = (problem is not null)),
  check (outcome in ('done', 'refused'))
);
create index audit_account on audit (account, id);
create index audit_actor on audit (account, actor_type, actor_id, id);
create index audit_at on audit (at);
create index audit_object on audit (account, object_type, object_id, id);
create trigger audit_kept before delete or update on audit for each row execute function keep_audit();
create trigger audit_kept_whole before truncate on audit for each statement execute function refuse_truncation();

-- How many contacts an account has, and each segment, at the end of each day of the account's zone.
create table growth_days (
  account integer not null,
  segment integer,
  day date not null,
  counted_at timestamptz(3) not null,
  contacts bigint not null,
  entered bigint not null,
  gone bigint not null,
  unique nulls not distinct (account, segment, day),
  foreign key (account) references accounts(id),
  foreign key (account, segment) references segments(account, id) on delete cascade
);

-- Who was in a segment when it was counted last: ids as compressed distances, so that the next count knows who came and went.
create table growth_members (
  account integer not null,
  segment integer not null,
  members bytea not null,
  primary key (segment),
  foreign key (account, segment) references segments(account, id) on delete cascade
);

-- Requests to the interface. No bodies, no values of paths or queries.
create unlogged table request_log (
  account integer not null,
  id bigint not null generated always as identity,
  at timestamptz(3) not null,
  method text not null,
  -- The template of the path: /targets/{id}.
  path text not null,
  status smallint not null,
  duration_ms integer not null,
  -- What the answer carries as x-request-id.
  request text not null,
  -- Who asked: a key with its number, or a person.
  actor_type text not null,
  actor_id text,
  actor_name text not null,
  primary key (id)
);
create index request_log_account on request_log (account, id);
create index request_log_at on request_log using brin (at);

-- Requests to webhooks. No bodies.
create unlogged table webhook_tries (
  webhook uuid not null,
  id bigint not null generated always as identity,
  at timestamptz(3) not null,
  delivery uuid not null,
  -- How many events it held, and which of its tries it was.
  events integer not null,
  try integer not null,
  -- Of the answer; null: there was none.
  status smallint,
  duration_ms integer not null,
  -- Null: it succeeded.
  failure text,
  primary key (id)
);
create index webhook_tries_at on webhook_tries using brin (at);
create index webhook_tries_webhook on webhook_tries (webhook, id);

-- What sample data an account was given: it is taken away whole, and what people made beside it stays.
create table samples (
  account integer not null,
  type text not null,
  object bigint not null,
  created_at timestamptz(3) not null,
  primary key (account, type, object),
  foreign key (account) references accounts(id),
  check (type in ('field', 'contact', 'segment', 'action'))
);

-- Messages as rows of blocks, kept to begin others from.
create table designs (
  id integer not null generated always as identity,
  account integer not null,
  name text not null,
  description text,
  category text,
  -- A whole message, or rows to be put into one.
  type text not null,
  -- As JSON: it is given back as it came.
  design json not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (id),
  unique (account, id),
  foreign key (account) references accounts(id),
  check (type in ('design', 'rows'))
);

-- Mails that came to their end within a quarter of an hour, by the domain of their address: what deliverability is read from.
-- Made after the fact by features/deliverability/sent-quarters.ts: the recording of a message does nothing for it.
create table sent_quarters (
  account integer not null,
  start timestamptz(3) not null,
  domain text collate "C" not null,
  sent integer not null,
  refused integer not null,
  primary key (account, start, domain),
  foreign key (account) references accounts(id)
);
create index sent_quarters_start on sent_quarters using brin (start);

-- The quarters that are counted: from one instant to another. One row.
create table sent_counting (
  counted_from timestamptz(3) not null,
  counted_until timestamptz(3) not null
);

-- What the events of a quarter of an hour say beside their kind, counted: types of cancellations, refusals by domain, verdict
-- and cause, links and devices. Made with event_counts by features/events/summary-counts.ts; reports are read from it.
create table event_details (
  account integer not null,
  channel text collate "C" not null,
  subject integer,
  start timestamptz(3) not null,
  kind text collate "C" not null,
  facet text collate "C" not null,
  detail text collate "C" not null,
  humans integer not null,
  contacts bytea not null
);
create index event_details_start on event_details (start);
create index event_details_subject on event_details (account, channel, subject, start);

-- Pictures and documents that messages show; their octets are kept where archives are.
create table media (
  id integer not null generated always as identity,
  account integer not null,
  -- Of the octets, by a key of the account: the same file of two accounts has two.
  hash text not null,
  name text not null,
  type text not null,
  octets integer not null,
  width integer,
  height integer,
  -- Smaller copies: [{name, width, height, octets}].
  sizes jsonb not null,
  created_at timestamptz(3) not null,
  primary key (id),
  unique (account, id),
  unique (hash),
  foreign key (account) references accounts(id)
);

create table campaign_experiments (
  sending bigint not null,
  account integer not null,
  action integer not null,
  -- [{id, share, version}]
  versions jsonb not null,
  holdout numeric not null,
  metric jsonb not null,
  decide_after jsonb not null,
  minimum integer not null,
  decide text not null,
  -- When the last message of the shares had its outcome.
  settled_at timestamptz(3),
  decided_at timestamptz(3),
  -- {version, by, clear, probability}
  decision jsonb,
  -- Nothing changes any more.
  ended_at timestamptz(3),
  -- What versions of a campaign are compared with those held out by, `{event, within}`; its counts once they are final:
  -- {versions: {<version>: {visits, conversions}}, heldOut: {visits, conversions}}.
  goal jsonb,
  goal_counts jsonb,
  goal_counted_at timestamptz(3),
  -- How many each version was sent to and how many of them did what the metric says, once that is final: {<version>: {visits, conversions}}.
  counts jsonb,
  counted_at timestamptz(3),
  primary key (sending),
  foreign key (account) references accounts(id),
  foreign key (sending) references sendings(id) on delete cascade,
  check (decide in ('auto', 'ask'))
);
create index campaign_experiments_action on campaign_experiments (account, action);
create index campaign_experiments_counts on campaign_experiments (settled_at) where counted_at is null;
create index campaign_experiments_goals on campaign_experiments (settled_at) where goal is not null and goal_counted_at is null;
create index campaign_experiments_open on campaign_experiments (sending) where ended_at is null;

-- When contacts open and click: hours of the week (0: Monday, from 0:00) in their zone, by month, of hits of people.
create table contact_hours (
  account integer not null,
  contact bigint not null,
  month date not null,
  hour smallint not null,
  hits integer not null,
  primary key (account, contact, month, hour),
  foreign key (account) references accounts(id),
  check (hour >= 0 and hour <= 167)
);
create index contact_hours_month on contact_hours (month);

-- The same of all contacts of an account together.
create table account_hours (
  account integer not null,
  month date not null,
  hour smallint not null,
  hits bigint not null,
  primary key (account, month, hour),
  foreign key (account) references accounts(id),
  check (hour >= 0 and hour <= 167)
);

-- Who of a campaign's audience gets nothing, as an experiment holds them out: they are no messages, and are counted and listed from here.
create table held_out_contacts (
  sending bigint not null,
  -- The last of them: slices of an audience are planned in ascending order.
  through bigint not null,
  contacts bigint[] not null,
  created_at timestamptz(3) not null,
  primary key (sending, through),
  foreign key (sending) references sendings(id) on delete cascade
);
create index held_out_contacts_created_at on held_out_contacts using brin (created_at);

-- Counts and details of events by day (UTC), put together from those of its quarters: reports are read from these, so that what
-- they read grows with days and contacts, not with events. `facet` is empty in counts. Made by features/events/day-counts.ts.
create table event_days (
  account integer not null,
  channel text collate "C" not null,
  subject integer,
  day timestamptz(3) not null,
  kind text collate "C" not null,
  facet text collate "C" not null,
  detail text collate "C" not null,
  humans bigint not null,
  robots bigint not null,
  contacts bytea not null
);
create index event_days_day on event_days (day);
create index event_days_subject on event_days (account, channel, subject, facet, kind, day);

-- What was sent on demand, and runs of notifications, by when it was asked for and how it ended: how many messages of one instant
-- ended so, written with their outcomes. `why`: of cancellations. Only ever inserted, so that senders never wait for each other;
-- sending/record/ended-counts.ts adds them up by quarter of an hour and marks those that are.
create table ended_batches (
  id bigint not null generated always as identity,
  account integer not null,
  source_kind text not null,
  source integer not null,
  asked timestamptz(3) not null,
  outcome text not null,
  why text,
  messages integer not null,
  primary key (id),
  check (outcome in ('sent', 'refused', 'held', 'cancelled'))
);
create index ended_batches_source on ended_batches (account, source_kind, source, asked);

create table ended_quarters (
  account integer not null,
  source_kind text not null,
  source integer not null,
  start timestamptz(3) not null,
  outcome text not null,
  why text not null,
  messages bigint not null,
  -- Single instants of what ended stand with their quarter, and its batches go as they are added up: a row for each message was kept for
  -- 26 months. `instants`: milliseconds of the quarter and number of messages, four bytes each; empty when they are kept no more.
  instants bytea not null default '\x'::bytea,
  primary key (account, source_kind, source, start, outcome, why)
);

-- What campaigns came to, in contacts, with which others are compared. `state` says of which events that holds: it is read anew when
-- there are others. Kept by features/reporting/reports/rates.ts.
create table report_rates (
  account integer not null,
  channel text not null,
  source integer not null,
  state text not null,
  delivered bigint not null,
  opened bigint not null,
  clicked bigint not null,
  unsubscribed bigint not null,
  complained bigint not null,
  primary key (account, channel, source),
  foreign key (account) references accounts(id)
);

-- Who reached a goal, from when its counts are final on. `version` is null of those held out.
create table experiment_goals (
  sending bigint not null,
  contact bigint not null,
  version integer,
  reached_at timestamptz(3) not null,
  primary key (sending, contact),
  foreign key (sending) references sendings(id) on delete cascade
);
create index experiment_goals_reached_at on experiment_goals using brin (reached_at);

-- Events of what is sent on demand, counted by when their messages were asked for: reports of a period are read from these. A row for
-- each quarter of an hour of the events, day (UTC, by its number since 1970) of the executions, kind and what is said. `moments`: of
-- each event of a person, milliseconds of that day at which its message was asked for, four bytes each, ascending; `contacts`: theirs
-- in that order, six bytes each, of links and of counts (their facet is empty), or empty; `machines`: as `moments`, of robots.
-- Made by features/events/asked-counts.ts.
create table asked_counts (
  account integer not null,
  channel text collate "C" not null,
  subject integer not null,
  start timestamptz(3) not null,
  asked_day integer not null,
  kind text collate "C" not null,
  facet text collate "C" not null,
  detail text collate "C" not null,
  moments bytea not null,
  contacts bytea not null,
  machines bytea not null
);
create index asked_counts_start on asked_counts (start);
create index asked_counts_subject on asked_counts (account, channel, subject, start);

-- The same by day of the events (UTC).
create table asked_days (
  account integer not null,
  channel text collate "C" not null,
  subject integer not null,
  day timestamptz(3) not null,
  asked_day integer not null,
  kind text collate "C" not null,
  facet text collate "C" not null,
  detail text collate "C" not null,
  moments bytea not null,
  contacts bytea not null,
  machines bytea not null
);
create index asked_days_day on asked_days (day);
create index asked_days_subject on asked_days (account, channel, subject, asked_day, facet, kind);

-- A column store that has the history of events beside this database: how far it is. No row: there is none.
create table event_store (
  is_only boolean not null default true,
  -- Up to this event, and before this instant, all events are acknowledged there.
  copied_id uuid,
  copied_until timestamptz(3) not null default '-infinity'::timestamptz,
  -- Events before it are read there alone.
  border timestamptz(3) not null default '-infinity'::timestamptz,
  -- Events before it are there alone.
  dropped_until timestamptz(3) not null default '-infinity'::timestamptz,
  -- The batch under way: repeated under its name, it writes nothing twice.
  batch_name text,
  batch_after uuid,
  batch_until uuid,
  primary key (is_only),
  constraint event_store_only check (is_only)
);

-- Changes of events that the store does not have yet, with what its tables are ordered by before the change. The numbers are revisions.
create table event_changes (
  number bigint not null generated always as identity,
  event uuid not null,
  at timestamptz(3) not null,
  account integer not null,
  channel text collate "C" not null,
  subject integer,
  contact bigint,
  stamp uuid,
  thread uuid,
  phone text collate "C",
  agent text collate "C",
  primary key (number)
);
create index event_changes_at on event_changes (at);

-- Activations of months that the store alone has: later reactions still answer them.
create table kept_activations (
  id uuid not null,
  at timestamptz(3) not null,
  account integer not null,
  channel text collate "C" not null,
  subject integer,
  contact bigint,
  stamp uuid,
  thread uuid,
  subscription uuid,
  phone text collate "C",
  agent text collate "C",
  title text,
  is_test boolean not null,
  depth smallint not null,
  activation json,
  primary key (id, at)
) partition by range (at);
create index kept_activations_contact on kept_activations (account, contact);
create index kept_activations_phone on kept_activations (account, phone, agent, at) where channel = 'rcs';
create index kept_activations_stamp on kept_activations (account, stamp);

create table kept_activations_other partition of kept_activations default;

-- Data directories that processes are started on: a machine each. What its senders claim has its id in front.
create table machines (
  id text not null,
  host text not null,
  directory text not null,
  seen_at timestamptz(3) not null,
  -- The address that last sent X-Forwarded-For without being among the trusted proxies, as a process of the machine saw it, and when.
  untrusted_proxy text,
  untrusted_at timestamptz(3),
  primary key (id),
  check (id ~ '^[0-9a-f]{8}$')
);

-- Erasures of events that the column store has not carried out yet: what it shows of these meanwhile is emptied as it is read.
create table event_erasures (
  number bigint not null generated always as identity,
  account integer not null,
  contacts bigint[] not null,
  -- Messages to others that named them.
  stamps uuid[] not null,
  -- Only of events published since; null: of all, and they are not shown until then.
  since timestamptz(3),
  primary key (number),
  foreign key (account) references accounts(id)
);
create index event_erasures_account on event_erasures (account);

-- What fails alone of periodic tasks and jobs, and has not worked since: a name, and which account or row of it ('' when it is all of it).
create table task_failures (
  task text not null,
  subject text not null,
  failures integer not null,
  since timestamptz not null,
  next_at timestamptz not null,
  error text not null,
  primary key (task, subject)
);

-- Free bytes of the disk of each data directory, by day: from them follows when it will be full.
create table disk_samples (
  machine text not null,
  day date not null,
  taken_at timestamptz(3) not null,
  free_bytes bigint not null,
  primary key (machine, day),
  foreign key (machine) references machines(id) on delete cascade
);

alter table messages add constraint messages_sending_fkey foreign key (sending) references sendings(id);
alter table campaign_audiences alter column contacts set storage external;
alter table event_counts alter column contacts set storage external;
alter table message_slices add constraint message_slices_sending_fkey foreign key (sending) references sendings(id);
alter table ended_quarters alter column instants set storage external;
alter table asked_counts alter column moments set storage external;
alter table asked_counts alter column contacts set storage external;
alter table asked_counts alter column machines set storage external;
alter table asked_days alter column moments set storage external;
alter table asked_days alter column contacts set storage external;
alter table asked_days alter column machines set storage external;

-- Whether an interest wants an event. Kinds have one or two parts, so a prefix is the kind or its first part.
create function listener_wants(i listener_interests, channel text, kind text, classification text)
returns boolean language sql immutable as $$
  select (i.events = '{}' or kind = any(i.events) or split_part(kind, '/', 1) = any(i.events))
    and (i.channels = '{}' or channel = any(i.channels))
    and (split_part(kind, '/', 1) not in ('hits', 'interactions')
      or 'all' = any(i.classification) or coalesce(classification, 'human') = any(i.classification))
$$;

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

comment on column events.subject is 'Number of the action, RCS action, notification or display campaign.';

insert into event_counting (days_until, counted_until) values ('1970-01-01T00:00:00Z', '1970-01-01T00:00:00Z');

insert into sent_counting (counted_from, counted_until) values ('1970-01-01T00:00:00Z', '1970-01-01T00:00:00Z');
