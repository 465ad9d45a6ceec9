-- The latest event of a kind of a phone and an agent is the first entry of its index; a phone has few events, so that all of
-- them are sorted.
drop index events_phone;
create index events_phone on events (account, phone, agent, kind, at, id) where channel = 'rcs';
