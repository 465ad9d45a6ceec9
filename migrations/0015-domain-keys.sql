-- What signs the mail of a sending domain (RFC 6376, RFC 8463): one key for each algorithm, and after a rotation those before.
create table domain_keys (
  id integer generated always as identity primary key,
  account integer not null,
  domain text not null,
  algorithm text not null check (algorithm in ('rsa-sha256', 'ed25519-sha256')),
  selector text not null,
  -- The `p=` of the record to publish.
  public_key text not null,
  -- PKCS #8 DER, sealed with the master key.
  private_key bytea not null,
  created_at timestamptz(3) not null,
  -- Since when it signs; null until its record was found, for the keys of a rotation.
  activated_at timestamptz(3),
  -- Since when another signs in its place; its record is needed until what it signed has arrived everywhere.
  retired_at timestamptz(3) check (retired_at is null or activated_at is not null),
  -- The name of a record: two accounts may send from one domain.
  unique (domain, selector),
  foreign key (account, domain) references sending_domains on delete cascade
);
create unique index domain_keys_signing on domain_keys (account, domain, algorithm)
  where activated_at is not null and retired_at is null;
create unique index domain_keys_waiting on domain_keys (account, domain, algorithm) where activated_at is null;

-- A domain without keys is not verified.
update sending_domains set verified_at = null;
