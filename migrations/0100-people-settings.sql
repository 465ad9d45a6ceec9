-- What an account asks of the people who work in it.
alter table accounts
  add require_second_factor boolean not null default false,
  -- What a person writes another one must approve before it is sent.
  add approval boolean not null default false,
  -- Viewers see addresses and numbers masked.
  add mask_personal_data boolean not null default false;
