-- When somebody ended a rest of the application's providers: answers to pushes of before, recorded later, say nothing of its devices.
alter table applications add column rests_ended_at timestamptz(3);
