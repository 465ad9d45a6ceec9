-- What the HTML of a content was made of, if it was made of blocks.
alter table content_versions add column design json;
