-- A name for what belongs together; it sends nothing itself.
create table campaigns (
  -- uuid version 7: ids sort by creation.
  id uuid primary key,
  account integer not null references accounts,
  name text not null,
  description text,
  starts_at timestamptz(3),
  ends_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (account, id),
  check (ends_at >= starts_at)
);

-- What a campaign groups: by number, display campaigns by name.
create table campaign_items (
  account integer not null,
  campaign uuid not null,
  -- Where the item stands in the order given; gaps do not matter.
  position integer not null,
  type text not null check (type in ('email', 'sms', 'rcs', 'notification', 'workflow', 'display')),
  number integer,
  name text collate "C",
  check ((type = 'display') = (number is null) and (type = 'display') = (name is not null)),
  unique nulls not distinct (campaign, type, number, name),
  foreign key (account, campaign) references campaigns (account, id) on delete cascade
);
create index campaign_items_item on campaign_items (account, type, number, name);

-- A deleted action keeps its row, so no foreign key takes it out of its campaigns.
create function leave_campaigns() returns trigger language plpgsql as $$
begin
  delete from campaign_items i
  where i.account = new.account and i.type = case when new.type like 'sms%' then 'sms' else 'email' end and i.number = new.id;
  return null;
end $$;
create trigger actions_leave_campaigns after update of deleted_at on actions
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function leave_campaigns();
