-- The address that last sent X-Forwarded-For without being among the trusted proxies, as a process of the machine saw it, and when.
alter table machines add column untrusted_proxy text, add column untrusted_at timestamptz(3);
