-- Messages as rows of blocks, kept to begin others from.
create table designs (
  id integer generated always as identity primary key,
  account integer not null references accounts,
  name text not null,
  description text,
  category text,
  -- A whole message, or rows to be put into one.
  type text not null check (type in ('design', 'rows')),
  -- As JSON: it is given back as it came.
  design json not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (account, id)
);
