import { type Static, Type } from 'typebox'
import { int32Limits } from '../../../lib/int32.ts'
import { Footprint } from './identification-schemas.ts'

const DateTime = Type.String({ format: 'date-time' })

const FieldValue = Type.Union([Type.String(), Type.Number(), Type.Array(Type.String()), Type.Null()])

const BounceFlag = Type.Object({
  field: Type.Integer(),
  type: Type.Integer({ description: '3 validated, 4 soft, 51 to 54 hard, 6 reported as spam' }),
  timestamp: DateTime,
  reason: Type.String(),
})

const RedListEntry = Type.Object({
  timestamp: DateTime,
  reason: Type.Integer({ description: 'origin of the entry, 0 to 9' }),
})

/** A contact as it is answered; the older media types leave out `bounce` and `redList`. */
export const ContactDocument = Type.Object({
  id: Type.String(),
  hash: Type.String(),
  creationDate: DateTime,
  lastUpdateDate: { ...DateTime, description: 'when it was changed last, in UTC' },
  fields: Type.Record(Type.String(), FieldValue, {
    description: 'every field of the account by its id; empty is null or []',
  }),
  bounce: Type.Optional(Type.Array(BounceFlag, { description: 'flags of its addresses' })),
  redList: Type.Optional(Type.Object({ mail: Type.Optional(RedListEntry), sms: Type.Optional(RedListEntry) })),
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
    type: Type.Literal('id'),
    value: Type.Array(Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1, maxItems: 1 })]), {
      description: 'ids, each plain or in an array of its own',
    }),
  }),
  Type.Object({ type: Type.Literal('hash'), value: Type.Array(Type.String()) }),
  Type.Object({
    type: Type.Literal('unicity'),
    value: Type.Array(Type.Union([Type.String(), Type.Array(Type.String())]), {
      description: 'arrays of strings, one per unicity field, or the concatenated string',
    }),
  }),
  Type.Object({
    type: Type.Literal('segment'),
    value: Type.Union([
      Type.Integer(int32Limits),
      Type.String({ pattern: '^\\d{1,10}$' }),
      Type.Array(Type.Union([Type.Integer(int32Limits), Type.String({ pattern: '^\\d{1,10}$' })])),
    ]),
  }),
  Type.Object({ type: Type.Literal('search'), value: ContactSearchSelection }),
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
    type: Type.Literal('success'),
    contact: Footprint,
    created: Type.Boolean({ description: 'whether it was made' }),
  }),
  Type.Object({
    type: Type.Literal('error'),
    value: Type.Object({
      type: Type.Enum(['invalid-value', 'unknown-field', 'unicity-missing']),
      detail: Type.String(),
    }),
  }),
])
export type BulkUpsertResult = Static<typeof BulkUpsertResult>

/** The result of an identification. */
export const ResolvedContact = Type.Union([
  Footprint,
  Type.Object({
    type: Type.Literal('error'),
    value: Type.Object({
      type: Type.Enum(['recipient not found', 'invalid recipient']),
      recipient: Type.Unknown({ description: 'as it was given' }),
    }),
  }),
])
export type ResolvedContact = Static<typeof ResolvedContact>

export const DeletedContact = Type.Object({ id: Type.String(), unicity: Type.Array(Type.String()) })
export type DeletedContact = Static<typeof DeletedContact>

/** Problem types of the operations that write contacts by status. */
export const contactWriteRefusals = { 400: 'unicity-missing', 409: 'unicity-taken' }
