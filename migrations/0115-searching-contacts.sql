-- A text as it is searched for: without regard to case and accents. ASCII, which most addresses are, takes the short way.
create function searched(value text) returns text language sql immutable strict parallel safe
  return casefold(case when octet_length(value) = char_length(value) then value
    else regexp_replace(normalize(value, nfkd), '[\u0300-\u036f]', '', 'g') end collate pg_unicode_fast);
-- What an index holds of it for sorting: an entry of an index must be short, texts need not be.
create function sorted_start(value text) returns text language sql immutable strict parallel safe
  return left(searched(value), 60);
-- The pattern of LIKE for a text somewhere in a searched one.
create function part_pattern(value text) returns text language sql immutable strict parallel safe
  return '%' || replace(replace(replace(searched(value), '\', '\\'), '%', '\%'), '_', '\_') || '%';

-- Lists of contacts by their dates, page by page.
create index contacts_created_at on contacts (account, created_at, id);
create index contacts_updated_at on contacts (account, updated_at, id);

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
