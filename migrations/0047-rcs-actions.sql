-- RCS actions are actions: rows of the same table, with numbers of the same sequence.
alter table actions drop constraint actions_type_check,
  add constraint actions_type_check
    check (type in ('mailMessage', 'mailCampaign', 'smsMessage', 'smsCampaign', 'rcsMessage', 'rcsCampaign'));
drop index actions_moving;
create index actions_moving on actions (state) where deleted_at is null and (
  state in (30, 35, 36, 40, 55) or state = 50 and type in ('mailCampaign', 'smsCampaign', 'rcsCampaign'));
-- Those that send with a profile.
create index actions_profile on actions (account, (settings ->> 'profile'))
  where deleted_at is null and type in ('rcsMessage', 'rcsCampaign');

create or replace function leave_campaigns() returns trigger language plpgsql as $$
begin
  delete from campaign_items i
  where i.account = new.account and i.number = new.id
    and i.type = case left(new.type, 3) when 'sms' then 'sms' when 'rcs' then 'rcs' else 'email' end;
  return null;
end $$;

-- Their contents link to forms as those of other actions do.
create or replace function link_version_forms() returns trigger language plpgsql as $$
begin
  insert into action_forms (account, action, form)
  select distinct new.account, new.owner, from_base36(link ->> 'form')::integer
  from jsonb_array_elements(new.links) as link
  where new.owner_kind in ('action', 'rcs') and link ->> 'form' is not null
    and exists (select from actions a where a.id = new.owner and a.deleted_at is null and a.state <> 60)
  on conflict do nothing;
  return null;
end $$;
