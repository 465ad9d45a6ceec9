-- What an action was approved as: {approval, content, criteria}, the latter two hashes (hex) of its content as it is compiled and of the
-- criteria of its segments. Null where it was validated without an approval.
alter table actions add column approved jsonb;

-- Of a campaign that could not begin as it was approved.
create function undo_approval() returns trigger language plpgsql as $$
begin
  update approvals set outcome = 'failed' where account = new.account and id = (new.approved->>'approval')::uuid;
  return null;
end
$$;
create trigger undo_approval after update of state on actions
  for each row when (old.state = 50 and new.state = 20 and new.approved is not null and new.last_validation->>'result' = 'failed')
  execute function undo_approval();
