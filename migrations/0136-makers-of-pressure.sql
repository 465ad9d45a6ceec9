-- Who made and changed it: `{type, id, name}` of a person or a key; null: it was made before that was kept.
alter table pressure_topics add column creator jsonb, add column modifier jsonb;
alter table pressure_rules add column creator jsonb, add column modifier jsonb;
