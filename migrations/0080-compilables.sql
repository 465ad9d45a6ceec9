-- Pipelines, templates and scripts that give values.
create table compilables (
  id uuid primary key,
  account integer not null references accounts,
  name text not null,
  description text,
  -- What it does, and what a preview begins with: json keeps the order of members. Secrets are sealed.
  value json not null,
  preview json not null,
  -- Counts its writes.
  version integer not null default 1,
  state text not null check (state in ('draft', 'ready')),
  -- What the state was found by (src/features/scripting/compilables/uses.ts); null: it is to be found.
  basis text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (account, id)
);

-- What compilables use: it may go at any time, and the state follows. `used` is the id of it.
create table compilable_uses (
  account integer not null,
  compilable uuid not null,
  kind text not null check (kind in ('compilable', 'segment', 'action', 'rcsAction', 'notification', 'valueList', 'webtask')),
  used text collate "C" not null,
  primary key (compilable, kind, used),
  foreign key (account, compilable) references compilables (account, id) on delete cascade
);
create index compilable_uses_used on compilable_uses (account, kind, used);

-- Compilables that active workflows name, in nodes and tasks.
create table workflow_compilables (
  account integer not null,
  workflow integer not null,
  compilable uuid not null,
  primary key (workflow, compilable),
  foreign key (account, workflow) references workflows (account, id) on delete cascade,
  foreign key (account, compilable) references compilables (account, id)
);
create index workflow_compilables_compilable on workflow_compilables (account, compilable);
