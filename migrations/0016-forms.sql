-- A page that asks a contact for values; links of messages lead to it.
create table forms (
  -- On the wire six characters of base 36.
  id integer generated always as identity primary key,
  account integer not null references accounts,
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
  red_list text[] not null default '{}',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (account, name_folded),
  unique (account, id),
  foreign key (account, segment) references segments (account, id)
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
  primary key (form, position),
  unique (form, field),
  foreign key (account, form) references forms (account, id) on delete cascade,
  foreign key (account, field) references fields (account, id)
);
create index form_fields_field on form_fields (account, field);

-- Forms that actions link to which are neither deleted nor finished; the foreign key keeps those forms.
create table action_forms (
  account integer not null,
  action integer not null,
  form integer not null,
  primary key (action, form),
  foreign key (account, action) references actions (account, id),
  foreign key (account, form) references forms (account, id)
);
create index action_forms_form on action_forms (account, form);

create function from_base36(wire text) returns bigint language sql immutable strict parallel safe
  return (
    select sum((strpos('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ', digit) - 1) * (36 ^ (length(wire) - place))::bigint)::bigint
    from regexp_split_to_table(upper(wire), '') with ordinality as d (digit, place));

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
create trigger actions_link_forms after insert on actions for each row execute function link_forms();
create trigger actions_relink_forms after update of content, state, deleted_at on actions
  for each row when (old.content is distinct from new.content or old.state <> 60 and new.state = 60
    or old.deleted_at is null and new.deleted_at is not null)
  execute function link_forms();

-- What a frozen content links to is known for certain. A form that is gone meanwhile refuses the version.
create function link_version_forms() returns trigger language plpgsql as $$
begin
  insert into action_forms (account, action, form)
  select distinct new.account, new.action, from_base36(link ->> 'form')::integer
  from jsonb_array_elements(new.links) as link
  where link ->> 'form' is not null
    and exists (select from actions a where a.id = new.action and a.deleted_at is null and a.state <> 60)
  on conflict do nothing;
  return null;
end $$;
create trigger content_versions_link_forms after insert on content_versions
  for each row execute function link_version_forms();
