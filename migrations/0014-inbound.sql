-- Reports that name no message we know: kept 30 days for operators.
create table unmatched_reports (
  id uuid primary key,
  received_at timestamptz(3) not null,
  -- Where it came in: mail, sms, rcs.
  door text not null,
  -- What it was taken for: bounce, complaint, unsubscribe, other; failed: it could not be stored.
  kind text not null,
  -- As received, its beginning.
  content bytea not null
);
create index unmatched_reports_received_at on unmatched_reports (received_at);
