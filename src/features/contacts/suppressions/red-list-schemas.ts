import { type Static, Type } from 'typebox'
import { ignoredMemberSchema } from '../../../lib/errors/passed-over.ts'

const EntryOrigin = Type.Integer({
  minimum: 0,
  maximum: 9,
  description:
    'Origin of the entry: 0 unknown, 1 API, 2 import, 3 form, 4 unsubscribe link, 5 complaint, 6 SMS ' +
    'stop reply, 7 SMS blacklist, 8 SMS administrative, 9 SMS specific. Default: 1.',
})
const EntryDetail = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Free details of the entry; for a form, `{"formId": "0000GH"}`. Default: `{}`.',
})

export const RedListEntry = Type.Object({
  id: Type.String({ description: 'ID of the contact.' }),
  timestamp: Type.String({
    format: 'date-time',
    description: 'Time at which the contact was added to the list, in UTC.',
  }),
  origin: EntryOrigin,
  detail: EntryDetail,
})
export type RedListEntry = Static<typeof RedListEntry>

/** A request to list a contact; members that are given replace those of an existing entry. */
export const RedListEntryBody = Type.Union([
  Type.Object({
    id: ignoredMemberSchema,
    timestamp: Type.Optional(
      Type.Union([Type.String(), Type.Number(), Type.Null()], {
        description: 'Time at which the contact was added to the list, in UTC. Default: now.',
      }),
    ),
    origin: Type.Optional(Type.Union([EntryOrigin, Type.Null()])),
    detail: Type.Optional(Type.Union([EntryDetail, Type.Null()])),
  }),
  Type.Null(),
])
export type RedListEntryBody = Static<typeof RedListEntryBody>

export const RedListRemovalBody = Type.Union([
  Type.Object({
    reason: Type.Optional(
      Type.String({ description: 'Reason for the removal, 1 to 500 characters; retained permanently.' }),
    ),
  }),
  Type.Null(),
])
export type RedListRemovalBody = Static<typeof RedListRemovalBody>

/** A new entry: when (listed at), why (0 to 9), and anything else. */
export interface NewRedListEntry {
  at: Date
  origin: number
  detail: Record<string, unknown>
}
