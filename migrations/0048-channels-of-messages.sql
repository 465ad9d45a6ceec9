-- Messages go out through every channel, beside mail and SMS.
alter table messages drop constraint messages_channel_check,
  add constraint messages_channel_check check (channel in ('email', 'sms', 'rcs', 'notification')) not valid;
alter table messages validate constraint messages_channel_check;
