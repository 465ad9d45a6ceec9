import { type Static, Type } from 'typebox'
import { COMPONENT_REF_KEYWORD } from '../../../lib/errors/schema-reference.ts'
import { int32Limits } from '../../../lib/int32.ts'
import { buildTypeTag } from '../../../lib/type-tags.ts'
import { Footprint } from './identification-schemas.ts'

const DateTime = Type.String({ format: 'date-time' })

const FieldValue = Type.Union([Type.String(), Type.Number(), Type.Array(Type.String()), Type.Null()])

const BounceFlag = Type.Object({
  field: Type.Integer({ description: 'ID of the email or phone field.' }),
  type: Type.Integer({
    description:
      'Code of the flag: 3 validated, 4 soft, 51 domain unknown, 52 user unknown, 53 other permanent ' +
      'refusal, 54 refused by policy, 6 reported as spam.',
  }),
  timestamp: { ...DateTime, description: 'Time of the bounce, in UTC.' },
  reason: Type.String({ description: 'Reason for the flag; an empty string if unknown.' }),
})

const RedListEntry = Type.Object({
  timestamp: { ...DateTime, description: 'Time at which the contact was added to the list, in UTC.' },
  reason: Type.Integer({
    description:
      'Origin of the entry: 0 unknown, 1 API, 2 import, 3 form, 4 unsubscribe link, 5 complaint, 6 SMS ' +
      'stop reply, 7 SMS blacklist, 8 SMS administrative, 9 SMS specific.',
  }),
})

/** A contact as it is answered; the older media types leave out `bounce` and `redList`. */
export const ContactDocument = Type.Object({
  id: Type.String({ description: 'ID of the contact.' }),
  hash: Type.String({ description: 'MD5 of the concatenated unicity: 32 hexadecimal digits.' }),
  creationDate: { ...DateTime, description: 'Time of creation, in UTC.' },
  lastUpdateDate: { ...DateTime, description: 'Time of the last change of a field value, in UTC.' },
  fields: Type.Record(Type.String(), FieldValue, {
    description:
      'Values of all fields of the account, by field ID. An empty value is null, or `[]` for a multiple ' +
      'selection list.',
  }),
  bounce: Type.Optional(
    Type.Array(BounceFlag, { description: 'Bounce flags of the email addresses and phone numbers.' }),
  ),
  redList: Type.Optional(
    Type.Object(
      {
        mail: Type.Optional({ ...RedListEntry, description: 'Entry on the mail suppression list.' }),
        sms: Type.Optional({
          ...RedListEntry,
          description: 'Entry on the SMS suppression list, which also covers RCS.',
        }),
      },
      { description: 'Suppression lists that hold the contact.' },
    ),
  ),
})
export type ContactDocument = Static<typeof ContactDocument>

/** A write body: field ids or names (in any case) and their new values; null, "" and [] empty a field. */
export const FlatMap = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Field values by field ID or field name (in any case). `null`, `""` and `[]` empty a field.',
})
export type FlatMap = Static<typeof FlatMap>

/** Contacts as `POST /targets/search` finds them. Criteria are always said, so that nothing selects everybody by silence. */
const ContactSearchSelection = Type.Object({
  criteria: Type.Object(
    {},
    {
      additionalProperties: true,
      description: 'Criteria as in a dynamic segment; `{"all": []}` selects every contact.',
      [COMPONENT_REF_KEYWORD]: 'SegmentCriteria',
    },
  ),
  query: Type.Optional(
    Type.Union([Type.String({ maxLength: 500 }), Type.Null()], {
      description: 'Search text, as in a contact search: an ID, unicity, address or number, or a part of one of them.',
    }),
  ),
  except: Type.Optional(
    // What is no id would leave nobody out.
    Type.Array(Type.String({ pattern: '^[0-9A-Za-z]{8}$' }), {
      maxItems: 10_000,
      description: 'IDs of contacts to leave out.',
    }),
  ),
})

/** A set of contacts. */
export const ContactSelection = Type.Union([
  Type.Object({
    type: buildTypeTag('id'),
    value: Type.Array(Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1, maxItems: 1 })]), {
      description: 'IDs of the contacts, each plain or in an array of one.',
    }),
  }),
  Type.Object({
    type: buildTypeTag('hash'),
    value: Type.Array(Type.String(), { description: 'Hashes of the contacts: MD5 of the concatenated unicity.' }),
  }),
  Type.Object({
    type: buildTypeTag('unicity'),
    value: Type.Array(Type.Union([Type.String(), Type.Array(Type.String())]), {
      description:
        'Unicities of the contacts, each an array with one string per unicity field, or one concatenated ' + 'string.',
    }),
  }),
  Type.Object({
    type: buildTypeTag('segment'),
    value: Type.Union(
      [
        Type.Integer(int32Limits),
        Type.String({ pattern: '^\\d{1,10}$' }),
        Type.Array(Type.Union([Type.Integer(int32Limits), Type.String({ pattern: '^\\d{1,10}$' })])),
      ],
      { description: 'ID of a segment, or an array of IDs; the members of all of them are selected.' },
    ),
  }),
  Type.Object({
    type: buildTypeTag('search'),
    value: { ...ContactSearchSelection, description: 'Search whose results are selected.' },
  }),
])
export type ContactSelection = Static<typeof ContactSelection>
export type ContactSearchSelection = Extract<ContactSelection, { type: 'search' }>['value']

export const SelectionCounts = Type.Object({
  matched: Type.Integer({ description: 'Number of contacts found.' }),
  updated: Type.Integer({ description: 'Number of contacts changed.' }),
  unchanged: Type.Integer({ description: 'Number of contacts that already had the values.' }),
  unknown: Type.Integer({ description: 'Number of items that match no contact.' }),
})
export type SelectionCounts = Static<typeof SelectionCounts>

/** The outcome of one row of a bulk upsert. */
export const BulkUpsertResult = Type.Union([
  Type.Object({
    type: buildTypeTag('success'),
    contact: { ...Footprint, description: 'The contact that was created or updated.' },
    created: Type.Boolean({ description: 'True if the contact was created; false if it was updated.' }),
  }),
  Type.Object({
    type: buildTypeTag('error'),
    value: Type.Object(
      {
        type: Type.Enum(['invalid-value', 'unknown-field', 'unicity-missing'], {
          description:
            'The kind of error. `invalid-value`: a value was refused. `unknown-field`: a key names no field. ' +
            '`unicity-missing`: a unicity field has no value.',
        }),
        detail: Type.String({ description: 'Explanation of the error.' }),
      },
      { description: 'The error.' },
    ),
  }),
])
export type BulkUpsertResult = Static<typeof BulkUpsertResult>

/** The result of an identification. */
export const ResolvedContact = Type.Union([
  Footprint,
  Type.Object({
    type: buildTypeTag('error'),
    value: Type.Object(
      {
        type: Type.Enum(['recipient not found', 'invalid recipient'], {
          description:
            'The kind of error. `recipient not found`: no contact matches. `invalid recipient`: the item is ' +
            'malformed.',
        }),
        recipient: Type.Unknown({ description: 'The item as it was given.' }),
      },
      { description: 'The error.' },
    ),
  }),
])
export type ResolvedContact = Static<typeof ResolvedContact>

export const DeletedContact = Type.Object({
  id: Type.String({ description: 'ID of the deleted contact.' }),
  unicity: Type.Array(Type.String(), { description: 'Values of the unicity fields, in ascending order of field ID.' }),
})
export type DeletedContact = Static<typeof DeletedContact>

/** Problem types of the operations that write contacts by status. */
export const contactWriteRefusals = { 400: 'unicity-missing', 409: 'unicity-taken' }
