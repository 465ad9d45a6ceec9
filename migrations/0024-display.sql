-- What is shown on sites: campaigns, the places of pages, and contents, which lead somewhere. A deleted one keeps its row,
-- so that its tags go on working and its history can be read; so its id is never given again.
create table display_campaigns (
  -- The "subject" of its events.
  number integer generated always as identity primary key,
  account integer not null references accounts,
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
  unique (account, id),
  unique (account, number),
  constraint display_campaigns_dates check (ends_at >= starts_at)
);

create table display_placements (
  -- What tags hold.
  number integer generated always as identity primary key,
  account integer not null references accounts,
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
  unique (account, id),
  unique (account, number)
);

create table display_contents (
  -- What tags hold.
  number integer generated always as identity primary key,
  account integer not null references accounts,
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
  unique (account, id),
  unique (account, number),
  foreign key (account, campaign) references display_campaigns (account, number)
);
create index display_contents_campaign on display_contents (account, campaign);

-- Where a content may be shown; no row: anywhere.
create table display_content_placements (
  account integer not null,
  content integer not null,
  -- Where the placement stands in the order given.
  position integer not null,
  placement integer not null,
  primary key (content, position),
  unique (content, placement),
  foreign key (account, content) references display_contents (account, number),
  foreign key (account, placement) references display_placements (account, number)
);
create index display_content_placements_placement on display_content_placements (account, placement);

-- Events of one placement, or of one content; those of a campaign are found by their subject.
create index events_display_placement on events (account, (detail #>> '{activation,placement}'), at, id)
  where channel = 'display';
create index events_display_content on events (account, (detail #>> '{activation,content}'), at, id)
  where channel = 'display';
comment on column events.subject is 'Number of the action, RCS action, notification or display campaign.';

-- A deleted display campaign keeps its row, so no foreign key takes it out of its campaigns.
create function display_leaves_campaigns() returns trigger language plpgsql as $$
begin
  delete from campaign_items i where i.account = new.account and i.type = 'display' and i.name = new.id;
  return null;
end $$;
create trigger display_campaigns_leave_campaigns after update of deleted_at on display_campaigns
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function display_leaves_campaigns();
