import type { Context } from '../../../context.ts'
import type { App } from '../../../http/app-type.ts'
import { registerLinks } from '../../../http/resource/links.ts'
import { type Resource, registerResource } from '../../../http/resource/resource.ts'
import { readIntId } from '../../../lib/ids.ts'
import { fieldLinks, valueListLinks } from './field-links.ts'
import { Field, FieldBody } from './field-schemas.ts'
import { createField, deleteField, listFields, readField, updateField } from './fields.ts'
import { ValueList, ValueListBody } from './value-list-schemas.ts'
import { createValueList, deleteValueList, listValueLists, readValueList, updateValueList } from './value-lists.ts'
import { stopContactWrites } from './write-lock.ts'

/** The fields of contacts, and the value lists some of them take their values from. */
export function fieldRoutes(app: App, { db }: Context): void {
  const fields: Resource<number, FieldBody, Field> = {
    path: '/fields',
    tag: 'fields',
    name: 'field',
    readId: readIntId,
    schema: { shown: Field, body: FieldBody },
    list: listFields,
    create: createField,
    read: readField,
    update: updateField,
    remove: deleteField,
    lock: stopContactWrites,
  }
  registerResource(app, db, fields)
  registerLinks(app, db, fields, fieldLinks)
  const lists: Resource<number, ValueListBody, ValueList> = {
    path: '/valueLists',
    tag: 'value lists',
    name: 'value list',
    readId: readIntId,
    schema: { shown: ValueList, body: ValueListBody },
    list: listValueLists,
    create: createValueList,
    read: readValueList,
    update: updateValueList,
    remove: deleteValueList,
    lock: stopContactWrites,
  }
  registerResource(app, db, lists)
  registerLinks(app, db, lists, valueListLinks)
}
