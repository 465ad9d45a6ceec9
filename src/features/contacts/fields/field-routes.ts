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
      list: {
        summary: 'List the fields',
        description: 'Returns all fields of the account in ascending order of ID.',
      },
      create: {
        summary: 'Create a field',
        description:
          'Creates a field, empty in every contact, and returns it; `type` and `name` are required. ' +
          'A unicity field cannot be created while contacts exist. An account has at most 500 fields.',
        refusals: fieldRefusals,
      },
      read: { summary: 'Get a field', description: 'Returns the definition of a field.' },
      update: {
        summary: 'Update a field',
        description:
          'Changes the members given and returns the field. The type and the value list cannot change while a ' +
          'contact has a value. A change of `isUnicity` recomputes the unicity and hash of every contact and is ' +
          'refused if a value is empty or not unique. A field that criteria use must stay usable in criteria.',
        refusals: fieldRefusals,
      },
      remove: {
        summary: 'Delete a field',
        description:
          'Deletes the field and its values in every contact. The last unicity field cannot be deleted, nor a ' +
          'field that is in use: the answer is 409 and lists the uses in `links`.',
        refusals: { 409: 'field-linked unicity-last unicity-empty unicity-not-unique unicity-too-long' },
      },
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
      list: {
        summary: 'List the value lists',
        description: 'Returns all value lists of the account with their values, in ascending order of ID.',
      },
      create: {
        summary: 'Create a value list',
        description: 'Creates a value list and returns it. The answer is 409 if the name or a label is used twice.',
        refusals: valueListRefusals,
      },
      read: { summary: 'Get a value list', description: 'Returns a value list with its values.' },
      update: {
        summary: 'Update a value list',
        description:
          'Changes the members given and returns the value list. `values` replaces all values; a changed label shows ' +
          'in every contact at once. Removing a value that contacts hold is refused with 409, and nothing changes.',
        refusals: valueListRefusals,
      },
      remove: {
        summary: 'Delete a value list',
        description: 'Deletes a value list. The answer is 409 while a field uses it.',
        refusals: valueListRefusals,
      },
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
