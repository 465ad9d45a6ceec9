create table categories (
  id integer generated always as identity primary key,
  account integer not null references accounts,
  name text not null,
  name_folded text not null,
  description text,
  is_default boolean not null default false,
  created_at timestamptz(3) not null default now(),
  unique (account, name_folded),
  unique (account, id)
);
create unique index categories_default on categories (account) where is_default;

create table actions (
  -- On the wire six characters of base 36. Never used again, so a deleted action keeps its row.
  id integer generated always as identity primary key,
  account integer not null references accounts,
  type text not null check (type in ('mailMessage', 'mailCampaign', 'smsMessage', 'smsCampaign')),
  name text not null,
  description text,
  state smallint not null check (state in (10, 20, 30, 35, 36, 38, 40, 50, 55, 60)),
  folder integer not null,
  category integer not null,
  paused boolean not null default false,
  settings jsonb not null,
  content jsonb not null,
  -- Campaigns only: type, startDate, endDate, speed, timeZoneField; the segments are in action_segments.
  scheduler jsonb,
  last_validation jsonb,
  -- The content version that executions and the campaign use, from validation on.
  version integer,
  -- The batch of a campaign's run: the "set" of its stamps.
  run uuid,
  -- Counts each test or validation, so that a late job of an earlier one changes nothing.
  attempt integer not null default 0,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  started_at timestamptz(3),
  ended_at timestamptz(3),
  -- The plan of a campaign's run: the last contact it has reached, and when it was complete.
  planned_through bigint,
  planned_at timestamptz(3),
  unique (account, id),
  foreign key (account, category) references categories (account, id)
);
-- What the clockwork looks through several times a second.
create index actions_moving on actions (state)
  where deleted_at is null and (state in (30, 35, 36, 40, 55) or state = 50 and type in ('mailCampaign', 'smsCampaign'));
create index actions_account on actions (account, id) where deleted_at is null;

create table action_segments (
  account integer not null,
  action integer not null,
  segment integer not null,
  role text not null check (role in ('selected', 'excluded', 'test')),
  position integer not null,
  primary key (action, role, segment),
  foreign key (account, action) references actions (account, id),
  foreign key (account, segment) references segments (account, id)
);
create index action_segments_segment on action_segments (segment);

-- A frozen content: what was validated or tested, compiled once. Outlives edits and the action's deletion,
-- because links, mirrors and unsubscriptions of what was sent go on working.
create table content_versions (
  id integer generated always as identity primary key,
  account integer not null,
  action integer not null,
  -- Settings, content and resolved sender as they stood.
  source jsonb not null,
  -- [{"id": 1, "name": "...", "type": "redirection", "url": "..." | null}]
  links jsonb not null,
  created_at timestamptz(3) not null,
  foreign key (account, action) references actions (account, id)
);
create index content_versions_action on content_versions (account, action);
