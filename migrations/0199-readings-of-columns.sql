-- Files have numbers such as 1,234 and dates as bare numbers, which a column can mean in several ways: an import format says which.
alter table import_format_binds add column decimal_mark text check (decimal_mark in ('comma', 'point'));
alter table import_format_binds add column date_unit text check (date_unit in ('seconds', 'milliseconds', 'serial'));
