-- An execution shows its source and its format as the import did when it began: what those that are stored lack is added.
update import_executions e set content = e.content || jsonb_build_object(
  'source', jsonb_build_object(
    'id', e.upload,
    'creationDate', (
      select to_char(i.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') from imports i where i.id = e.import),
    'updateDate', (
      select to_char(u.uploaded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      from import_uploads u where u.id = e.upload)) || (e.content -> 'source'));

-- A format that is gone has left its number, not its name.
update import_executions e set content = jsonb_set(e.content, '{bindings}', jsonb_build_object(
    'name', coalesce((select f.name from import_formats f where f.id = (e.content #>> '{bindings,identifier,guid}')::integer), ''),
    'savedImportFormat', coalesce(
      (select f.is_saved from import_formats f where f.id = (e.content #>> '{bindings,identifier,guid}')::integer), false))
    || (e.content -> 'bindings'))
  where jsonb_typeof(e.content -> 'bindings') = 'object';
