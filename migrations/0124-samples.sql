-- What sample data an account was given: it is taken away whole, and what people made beside it stays.
create table samples (
  account integer not null references accounts,
  type text not null check (type in ('field', 'contact', 'segment', 'action')),
  object bigint not null,
  created_at timestamptz(3) not null,
  primary key (account, type, object)
);
