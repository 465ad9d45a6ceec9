-- Contacts that were erased. What is still written of them, by somebody who was under way or of a message they got
-- before, says no more who they were. Ids only, which are never used again; kept for good.
create table erased_contacts (
  account integer not null references accounts,
  contact bigint not null,
  primary key (account, contact)
);

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

-- Whom the request of a message names beside the contact it is for: addresses in Cc, and ids of contacts.
create function named_in(request jsonb) returns text[] language sql immutable parallel safe as $$
  select array(select lower(cc) from jsonb_array_elements_text(coalesce(request -> 'cc', '[]')) cc)
    || array_remove(array[request ->> 'related', request ->> 'copyTo'], null)
$$;

-- A request that names these no more.
create function unnamed(request jsonb, names text[]) returns jsonb language sql immutable parallel safe as $$
  select case when request ->> 'related' = any(names) then request - 'related' else request end
    || case when request ? 'cc' then jsonb_build_object('cc', (
      select coalesce(jsonb_agg(cc order by place), '[]') from jsonb_array_elements_text(request -> 'cc') with ordinality c(cc, place)
      where lower(cc) <> all(names))) else '{}' end
$$;

create index sent_messages_contact on sent_messages (account, contact);
create index sent_messages_names on sent_messages using gin (named_in(request)) where request ?| '{cc,related}';
create index sent_messages_proofs on sent_messages (account, lower(address)) where kind = 'test';
create index messages_names on messages using gin (named_in(request)) where request ?| '{cc,related,copyTo}';
create index messages_addresses on messages (account, lower(address)) where address is not null;
create index short_links_contact on short_links (account, contact);
