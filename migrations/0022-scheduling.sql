-- Who a campaign is sent to, as its segments were when it began: contacts in ascending order, slice by slice. A slice is
-- planned when actions.planned_through has reached its end; all of them go when the last one is.
create table campaign_slices (
  run uuid not null,
  -- The last contact of the slice.
  through bigint not null,
  contacts bigint[] not null,
  primary key (run, through)
);

alter table actions
  -- When the slices of the run were made; null: they are to be made.
  add column audience_at timestamptz(3),
  -- A campaign with a speed: when its next message may be handed over.
  add column next_turn_at timestamptz;

alter table messages
  -- The first hand-over that was put off: how long it is tried counts from there, however late its turn came.
  add column first_tried_at timestamptz(3);
