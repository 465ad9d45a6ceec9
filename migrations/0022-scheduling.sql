-- Who a campaign is sent to, as its segments were when it began: the ids of its contacts in ascending order, eight bytes
-- each, the highest first. Read in pieces: a million of them are written in half a second, as one value that is not
-- compressed. It goes when all of it is planned.
create table campaign_audiences (
  run uuid primary key,
  contacts bytea not null
);
alter table campaign_audiences alter column contacts set storage external;

alter table actions
  -- When the audience of the run was written down; null: it is to be.
  add column audience_at timestamptz(3),
  -- A campaign with a speed: when its next message may be handed over.
  add column next_turn_at timestamptz;

alter table messages
  -- The first hand-over that was put off: how long it is tried counts from there, however late its turn came.
  add column first_tried_at timestamptz(3);
