-- Who somebody is at an OpenID provider.
create table provider_identities (
  issuer text not null,
  subject text not null,
  person uuid not null references people (id) on delete cascade,
  created_at timestamp(3) with time zone not null,
  primary key (issuer, subject)
);
create index provider_identities_person on provider_identities (person);

-- Sign-ins that have gone to the provider: each comes back once, to the browser that began.
create table provider_states (
  digest bytea primary key,
  browser bytea not null,
  -- Nonce, verifier and destination, sealed.
  sealed bytea not null,
  created_at timestamp(3) with time zone not null
);
