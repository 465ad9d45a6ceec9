import { type Static, Type } from 'typebox'
import { int32Limits } from '../../../lib/int32.ts'
import { buildTypeTag } from '../../../lib/type-tags.ts'
import { Footprint } from './identification-schemas.ts'

const DateTime = Type.String({ format: 'date-time' })

const FieldValue = Type.Union([Type.String(), Type.Number(), Type.Array(Type.String()), Type.Null()])

const BounceFlag = Type.Object({
  field: Type.Integer({ description: 'id of the field' }),
  type: Type.Integer({ description: '3 validated, 4 soft, 51 to 54 hard, 6 reported as spam' }),
  timestamp: { ...DateTime, description: 'when it happened, in UTC' },
  reason: Type.String({ description: 'why, in words or by a code' }),
})

const RedListEntry = Type.Object({
  timestamp: { ...DateTime, description: 'when it happened, in UTC' },
  reason: Type.Integer({ description: 'origin of the entry, 0 to 9' }),
})

/** A contact as it is answered; the older media types leave out `bounce` and `redList`. */
export const ContactDocument = Type.Object({
  id: Type.String({ description: 'what names it in this account' }),
  hash: Type.String({ description: 'MD5 of the concatenated unicity, 32 hexadecimal digits' }),
  creationDate: { ...DateTime, description: 'when it was made, in UTC' },
  lastUpdateDate: { ...DateTime, description: 'when it was changed last, in UTC' },
  fields: Type.Record(Type.String(), FieldValue, {
    description: 'every field of the account by its id; empty is null or []',
  }),
  bounce: Type.Optional(Type.Array(BounceFlag, { description: 'flags of its addresses' })),
  redList: Type.Optional(
    Type.Object(
      {
        mail: Type.Optional({ ...RedListEntry, description: 'what concerns mail' }),
        sms: Type.Optional({ ...RedListEntry, description: 'what concerns SMS' }),
      },
      { description: 'the red lists that the contact is on' },
    ),
  ),
})
export type ContactDocument = Static<typeof ContactDocument>

/** A write body: field ids or names (in any case) and their new values; null, "" and [] empty a field. */
export const FlatMap = Type.Record(Type.String(), Type.Unknown(), {
  description: 'field ids or names, and their new values',
})
export type FlatMap = Static<typeof FlatMap>

/** Contacts as `POST /targets/search` finds them. Criteria are always said, so that nothing selects everybody by silence. */
const ContactSearchSelection = Type.Object({
  criteria: Type.Object(
    {},
    { additionalProperties: true, description: 'as of a dynamic segment; {"all": []}: everybody' },
  ),
  query: Type.Optional(Type.Union([Type.String({ maxLength: 500 }), Type.Null()], { description: 'as of a search' })),
  except: Type.Optional(
    // What is no id would leave nobody out.
    Type.Array(Type.String({ pattern: '^[0-9A-Za-z]{8}$' }), {
      maxItems: 10_000,
      description: 'ids of contacts that are left out',
    }),
  ),
})

/** A set of contacts. */
export const ContactSelection = Type.Union([
  Type.Object({
    type: buildTypeTag('id'),
    value: Type.Array(Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1, maxItems: 1 })]), {
      description: 'ids, each plain or in an array of its own',
    }),
  }),
  Type.Object({
    type: buildTypeTag('hash'),
    value: Type.Array(Type.String(), { description: 'the value itself' }),
  }),
  Type.Object({
    type: buildTypeTag('unicity'),
    value: Type.Array(Type.Union([Type.String(), Type.Array(Type.String())]), {
      description: 'arrays of strings, one per unicity field, or the concatenated string',
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
      { description: 'the value itself' },
    ),
  }),
  Type.Object({
    type: buildTypeTag('search'),
    value: { ...ContactSearchSelection, description: 'the value itself' },
  }),
])
export type ContactSelection = Static<typeof ContactSelection>
export type ContactSearchSelection = Extract<ContactSelection, { type: 'search' }>['value']

export const SelectionCounts = Type.Object({
  matched: Type.Integer({ description: 'contacts that were found' }),
  updated: Type.Integer({ description: 'contacts that were changed' }),
  unchanged: Type.Integer({ description: 'contacts that had the values already' }),
  unknown: Type.Integer({ description: 'contacts that do not exist' }),
})
export type SelectionCounts = Static<typeof SelectionCounts>

/** The outcome of one row of a bulk upsert. */
export const BulkUpsertResult = Type.Union([
  Type.Object({
    type: buildTypeTag('success'),
    contact: { ...Footprint, description: 'the contact, by its id' },
    created: Type.Boolean({ description: 'whether it was made' }),
  }),
  Type.Object({
    type: buildTypeTag('error'),
    value: Type.Object(
      {
        type: Type.Enum(['invalid-value', 'unknown-field', 'unicity-missing'], {
          description: 'which of the possible kinds it is',
        }),
        detail: Type.String({ description: 'more about it, in words' }),
      },
      { description: 'the value itself' },
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
          description: 'which of the possible kinds it is',
        }),
        recipient: Type.Unknown({ description: 'as it was given' }),
      },
      { description: 'the value itself' },
    ),
  }),
])
export type ResolvedContact = Static<typeof ResolvedContact>

export const DeletedContact = Type.Object({
  id: Type.String({ description: 'what names it in this account' }),
  unicity: Type.Array(Type.String(), { description: 'the values of the unicity fields' }),
})
export type DeletedContact = Static<typeof DeletedContact>

/** Problem types of the operations that write contacts by status. */
export const contactWriteRefusals = { 400: 'unicity-missing', 409: 'unicity-taken' }
