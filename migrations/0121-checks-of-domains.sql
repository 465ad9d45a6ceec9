-- What the last check of a sending domain found, record by record:
-- [{"purpose", "type", "name", "found", "seen": [texts]}]; null: it was never checked.
alter table sending_domains add column checked_at timestamptz(3), add column findings jsonb;
