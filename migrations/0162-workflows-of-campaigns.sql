-- A deleted workflow leaves every campaign, as all that a campaign groups does.
create function leave_campaigns_with_workflow() returns trigger language plpgsql as $$
begin
  delete from campaign_items i where i.account = new.account and i.type = 'workflow' and i.number = new.id;
  return null;
end $$;
create trigger workflows_leave_campaigns after update of deleted_at on workflows
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function leave_campaigns_with_workflow();
