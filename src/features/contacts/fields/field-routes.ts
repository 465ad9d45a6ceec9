import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { registerLinksRoute } from '../../../http/resource/links.ts'
import { type RestResource, registerResource } from '../../../http/resource/resource.ts'
import { parseInt32Id } from '../../../lib/ids.ts'
import { readFieldLinks, readValueListLinks } from './field-links.ts'
import { ContactFieldDefinition, FieldBody } from './field-schemas.ts'
import { createField, deleteField, listFields, lockField, readContactField, updateField } from './fields.ts'
import { ValueList, ValueListBody } from './value-list-schemas.ts'
import {
  createValueList,
  deleteValueList,
  listValueLists,
  lockValueList,
  readValueList,
  updateValueList,
} from './value-lists.ts'

const fieldRefusals = {
  409: 'name-taken field-filled field-linked unicity-empty unicity-last unicity-not-unique unicity-too-long',
}
const valueListRefusals = { 409: 'name-taken list-linked label-held label-taken' }

/** The fields of contacts, and the value lists some of them take their values from. */
export function contactFieldRoutes(app: HttpApp, { db }: ServiceContext): void {
  const fieldResource: RestResource<number, FieldBody, ContactFieldDefinition> = {
    path: '/fields',
    tag: 'fields',
    name: 'field',
    readId: parseInt32Id,
    schema: { shown: ContactFieldDefinition, body: FieldBody },
    operations: {
      create: { refusals: fieldRefusals },
      update: { refusals: fieldRefusals },
      remove: { refusals: { 409: 'field-linked unicity-last unicity-empty unicity-not-unique unicity-too-long' } },
    },
    list: listFields,
    create: createField,
    read: readContactField,
    update: updateField,
    remove: deleteField,
    lock: lockField,
  }
  registerResource(app, db, fieldResource)
  registerLinksRoute(app, db, fieldResource, readFieldLinks)
  const valueListResource: RestResource<number, ValueListBody, ValueList> = {
    path: '/valueLists',
    tag: 'value lists',
    name: 'value list',
    readId: parseInt32Id,
    schema: { shown: ValueList, body: ValueListBody },
    operations: {
      create: { refusals: valueListRefusals },
      update: { refusals: valueListRefusals },
      remove: { refusals: valueListRefusals },
    },
    list: listValueLists,
    create: createValueList,
    read: readValueList,
    update: updateValueList,
    remove: deleteValueList,
    lock: lockValueList,
  }
  registerResource(app, db, valueListResource)
  registerLinksRoute(app, db, valueListResource, readValueListLinks)
}
