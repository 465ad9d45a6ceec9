-- Imports read workbooks: an import format may name the sheet that is read; without a name it is the first one that is not hidden.
alter table import_formats add column sheet text;
