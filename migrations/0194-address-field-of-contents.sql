-- Lists of waiting messages read the address field of each one's content: beside the content, which is large and compressed, it is read without it.
alter table content_versions add column address_field text generated always as (source #>> '{settings,field}') stored;
