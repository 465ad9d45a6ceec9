-- People sign in; what they may do is their role in an account. Of every token the digest alone is kept.
create table people (
  id uuid primary key,
  -- As it was given but for the case, which is folded.
  email text not null unique,
  name text not null,
  locale text not null check (locale in ('en', 'fr')),
  active boolean not null default true,
  operator boolean not null default false,
  -- A PHC string of argon2id; null: signs in by passkey or provider only.
  password text,
  -- A mail to the address was read, or a provider says that it is theirs.
  email_confirmed boolean not null default false,
  created_at timestamp(3) with time zone not null,
  last_sign_in_at timestamp(3) with time zone
);

create table memberships (
  account integer not null references accounts (id),
  person uuid not null references people (id) on delete cascade,
  role text not null check (role in ('viewer', 'author', 'sender', 'admin')),
  -- `provider`: made, changed and taken away by what an OpenID provider says.
  source text not null check (source in ('hand', 'provider')),
  created_at timestamp(3) with time zone not null,
  primary key (account, person)
);
create index memberships_person on memberships (person);

create table invitations (
  id uuid primary key,
  account integer not null references accounts (id),
  email text not null,
  role text not null check (role in ('viewer', 'author', 'sender', 'admin')),
  digest bytea not null unique,
  -- The link went to the address and nowhere else: who has it reads that mail.
  mailed boolean not null default false,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  unique (account, email)
);

-- Links that work once: to set up the first person (no person), or to give a new password.
create table person_links (
  digest bytea primary key,
  person uuid references people (id) on delete cascade,
  mailed boolean not null default false,
  expires_at timestamp(3) with time zone not null
);
create index person_links_person on person_links (person);
