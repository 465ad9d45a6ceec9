import { type Static, Type } from 'typebox'
import { ArchivedMessage } from '../archives/archive-schemas.ts'
import { BouncedContact } from '../contacts/bounce-flags/bounce-schemas.ts'
import { ContactDocument } from '../contacts/records/contact-schemas.ts'
import { RedListEntry } from '../contacts/suppressions/red-list-schemas.ts'
import { PublishedEventRecord } from '../events/event-schemas.ts'
import { ReceivedNotification } from '../notifications/history/history.ts'
import { CountedMessages } from '../pressure/pressure-schemas.ts'
import { SegmentListEntry } from '../segments/segment-schemas.ts'
import { SubscriptionResource } from '../subscriptions/subscription-schemas.ts'
import { ContactWebtaskRun } from '../webtasks/executions/erasure.ts'
import { ContactWorkflowRun } from '../workflows/runs/contact-runs.ts'

const { timestamp, origin, detail } = RedListEntry.properties
const ExportedRedListEntry = Type.Object({ timestamp, origin, detail })
const instantSchema = Type.String({ format: 'date-time' })

/** The red lists a contact is on, and those it was taken off. */
export const ContactRedList = Type.Object({
  mail: Type.Optional({ ...ExportedRedListEntry, description: 'what concerns mail' }),
  sms: Type.Optional({ ...ExportedRedListEntry, description: 'what concerns SMS' }),
  removals: Type.Array(
    Type.Object({
      channel: Type.Enum(['mail', 'sms'], { description: 'the channel that it is sent by' }),
      timestamp: { ...instantSchema, description: 'when it happened, in UTC' },
      reason: Type.String({ description: 'why, in words or by a code' }),
      key: Type.Union([Type.String(), Type.Null()], { description: 'name of the API key that took it off' }),
      entry: ExportedRedListEntry,
    }),
    { description: 'the audit trail: when it was taken off a list, why, by which key, and the former entry' },
  ),
})
export type ContactRedList = Static<typeof ContactRedList>

const ContactBouncesSchema = BouncedContact.properties.bounces
export type ContactBounce = Static<typeof ContactBouncesSchema>[number]

/** Everything that is kept of a contact. */
export const ContactExport = Type.Object(
  {
    contact: { ...ContactDocument, description: 'the contact, by its id' },
    segments: Type.Array(SegmentListEntry, { description: 'segments that the contact is in' }),
    subscriptions: Type.Array(SubscriptionResource, {
      description: 'installations of applications that the contact has',
    }),
    redList: { ...ContactRedList, description: 'the red lists that the contact is on' },
    bounces: ContactBouncesSchema,
    pressure: Type.Array(CountedMessages, { description: 'what marketing pressure has counted in the last 92 days' }),
    events: Type.Array(PublishedEventRecord, { description: 'every event of the contact, in order' }),
    notifications: Type.Array(ReceivedNotification, { description: 'push messages, with their titles, in order' }),
    archives: Type.Array(ArchivedMessage, { description: 'mails that were kept as they left' }),
    runs: Type.Array(ContactWorkflowRun, { description: 'runs of workflows, the first one first' }),
    webtaskRuns: Type.Array(ContactWebtaskRun, { description: 'what is kept of runs of webtasks for the contact' }),
    exportDate: { ...instantSchema, description: 'when it was read, in UTC' },
  },
  { title: 'ContactExport' },
)
