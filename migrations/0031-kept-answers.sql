-- From now on the bodies of idempotency_keys are sealed, as an answer may show a secret. Those in clear go: a request whose first
-- answer was kept is carried out again when it is repeated.
delete from idempotency_keys;
