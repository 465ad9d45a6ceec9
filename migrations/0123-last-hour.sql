-- What an account looks at when a client of its own goes wrong, of the last hour: it is of use to people alone, and gone after
-- a crash of the database.

-- Requests to the interface. No bodies, no values of paths or queries.
create unlogged table request_log (
  account integer not null,
  id bigint generated always as identity primary key,
  at timestamptz(3) not null,
  method text not null,
  -- The template of the path: /targets/{id}.
  path text not null,
  status smallint not null,
  duration_ms integer not null,
  -- What the answer carries as x-request-id.
  request text not null,
  -- Who asked: a key with its number, or a person.
  actor_type text not null,
  actor_id text,
  actor_name text not null
);
create index request_log_account on request_log (account, id);
create index request_log_at on request_log using brin (at);

-- Requests to webhooks. No bodies.
create unlogged table webhook_tries (
  webhook uuid not null,
  id bigint generated always as identity primary key,
  at timestamptz(3) not null,
  delivery uuid not null,
  -- How many events it held, and which of its tries it was.
  events integer not null,
  try integer not null,
  -- Of the answer; null: there was none.
  status smallint,
  duration_ms integer not null,
  -- Null: it succeeded.
  failure text
);
create index webhook_tries_webhook on webhook_tries (webhook, id);
create index webhook_tries_at on webhook_tries using brin (at);
