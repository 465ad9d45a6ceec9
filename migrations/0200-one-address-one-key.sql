-- How mail addresses are compared: in lower case after NFC, never by way of upper case, so that ß stays apart from ss and a dotless i
-- from i (RFC 6532, RFC 8265). A sigma at the end of a word is the common one. As mapCase of src/lib/fold.ts.
create function address_key(value text) returns text language sql immutable strict parallel safe
return case when octet_length(value) = char_length(value) then lower(value collate "C")
  else replace(normalize(lower(normalize(value, nfc) collate pg_unicode_fast), nfc), 'ς', 'σ') collate "C" end;

-- Whether keys of contacts with an email in their unicity are folded as they were before: where a stored one differs, until the account is rekeyed.
alter table accounts add column folds_keys boolean not null default false;
update accounts set folds_keys = true
where id in (select account from contacts where octet_length(unicity) <> char_length(unicity) and key <> address_key(unicity))
  and exists (select from fields f where f.account = accounts.id and f.is_unicity and f.type = 'email');

-- People whose email is stored in another form are found by their own address.
create index people_address on people (address_key(email));
