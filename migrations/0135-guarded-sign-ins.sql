-- An invitation that is taken once the second factor was given; without it there is nothing to go on with.
alter table sign_in_attempts add column invitation uuid references invitations (id) on delete cascade;
create index sign_in_attempts_invitation on sign_in_attempts (invitation) where invitation is not null;
