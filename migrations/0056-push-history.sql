-- Of the activation of a push message: its title as it was rendered. No record shows it; the history of a contact does.
alter table events add column title text;

-- When a device was put last, where nothing else of it changed with that: a push service may know it as gone from before.
alter table subscriptions add column put_at timestamptz(3);
alter table gone_subscriptions add column put_at timestamptz(3);
