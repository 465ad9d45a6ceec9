-- Pictures and documents that messages show; their octets are kept where archives are.
create table media (
  id integer primary key generated always as identity,
  account integer not null references accounts,
  -- Of the octets, by a key of the account: the same file of two accounts has two.
  hash text not null unique,
  name text not null,
  type text not null,
  octets integer not null,
  width integer,
  height integer,
  -- Smaller copies: [{name, width, height, octets}].
  sizes jsonb not null,
  created_at timestamptz(3) not null,
  unique (account, id)
);
