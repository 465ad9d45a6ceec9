-- Texts of criteria are compared without regard to case: full Unicode case folding, in code point order.
create function folded(value text) returns text language sql immutable strict parallel safe
  return casefold(value collate pg_unicode_fast);
-- What an index holds of a text: an entry of an index must be short, texts need not be.
create function folded_start(value text) returns text language sql immutable strict parallel safe
  return left(casefold(value collate pg_unicode_fast), 60);
create function folded(texts text[]) returns text[] language sql immutable strict parallel safe
  return array(select casefold(t.value collate pg_unicode_fast) from unnest(texts) t(value));
create function folded_start(texts text[]) returns text[] language sql immutable strict parallel safe
  return array(select left(casefold(t.value collate pg_unicode_fast), 60) from unnest(texts) t(value));

-- Segments whose criteria name another one; the foreign key keeps that one from being deleted.
create table segment_references (
  account integer not null,
  segment integer not null,
  refers_to integer not null,
  primary key (segment, refers_to),
  foreign key (account, segment) references segments (account, id) on delete cascade,
  foreign key (account, refers_to) references segments (account, id)
);
create index segment_references_refers_to on segment_references (account, refers_to);
create index segments_parent on segments (account, parent) where parent is not null;

-- Fields that the criteria of a segment name.
create table segment_fields (
  account integer not null,
  segment integer not null,
  field integer not null,
  primary key (segment, field),
  foreign key (account, segment) references segments (account, id) on delete cascade,
  foreign key (account, field) references fields (account, id)
);
create index segment_fields_field on segment_fields (account, field);

-- Criteria about events are answered by these indexes alone: who, what, whether by a person, whether a proof.
drop index events_channel;
create index events_channel on events (account, channel, at, id, kind) include (contact, classification, is_test);
drop index events_contact;
create index events_contact on events (account, contact, at, id) include (channel, kind, classification, is_test);
