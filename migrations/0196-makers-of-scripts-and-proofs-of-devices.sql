-- The person who wrote last what a script does; null: a key did.
alter table webtasks add column written_by uuid;
alter table compilables add column written_by uuid;

-- Of those that are there already, the audit tells it.
with writes as (
  select distinct on (account, object_type, object_id) account, object_type, object_id, actor_type, actor_id
  from audit
  where object_type in ('webtask', 'compilable') and outcome = 'done' and operation not like '%/cipher'
  order by account, object_type, object_id, id desc),
  webtask_writers as (
    update webtasks w set written_by = a.actor_id::uuid from writes a
    where a.actor_type = 'person' and a.object_type = 'webtask' and a.account = w.account and a.object_id = w.id::text)
update compilables c set written_by = a.actor_id::uuid from writes a
where a.actor_type = 'person' and a.object_type = 'compilable' and a.account = c.account and a.object_id = c.id::text;

-- What a device proves when it names its contact, and the sealed secret that proofs are signed with.
alter table applications
  add column registration_proof text not null default 'none' check (registration_proof in ('none', 'required')),
  add column registration_secret bytea;
