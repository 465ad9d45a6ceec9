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
  mail: Type.Optional({
    ...ExportedRedListEntry,
    description: 'Entry on the mail suppression list. Absent: not on the list.',
  }),
  sms: Type.Optional({
    ...ExportedRedListEntry,
    description: 'Entry on the SMS suppression list, which also covers RCS. Absent: not on the list.',
  }),
  removals: Type.Array(
    Type.Object({
      channel: Type.Enum(['mail', 'sms'], {
        description: 'Suppression list that the contact was removed from. `mail`: email. `sms`: SMS and RCS.',
      }),
      timestamp: { ...instantSchema, description: 'Time of the removal, in UTC.' },
      reason: Type.String({ description: 'Reason for the removal.' }),
      key: Type.Union([Type.String(), Type.Null()], {
        description: 'Name of the API key or user that removed the entry. Null: the service.',
      }),
      entry: ExportedRedListEntry,
    }),
    { description: 'Removals from suppression lists, with the former entries.' },
  ),
})
export type ContactRedList = Static<typeof ContactRedList>

const ContactBouncesSchema = BouncedContact.properties.bounces
export type ContactBounce = Static<typeof ContactBouncesSchema>[number]

/** Everything that is kept of a contact. */
export const ContactExport = Type.Object(
  {
    contact: { ...ContactDocument, description: 'The contact.' },
    segments: Type.Array(SegmentListEntry, { description: 'Segments that the contact is a member of.' }),
    subscriptions: Type.Array(SubscriptionResource, {
      description: 'Devices of the contact.',
    }),
    redList: { ...ContactRedList, description: 'Suppression lists that hold the contact, and removals from them.' },
    bounces: ContactBouncesSchema,
    pressure: Type.Array(CountedMessages, {
      description: 'Messages that marketing pressure has counted in the last 92 days.',
    }),
    events: Type.Array(PublishedEventRecord, { description: 'All events of the contact, in order.' }),
    notifications: Type.Array(ReceivedNotification, { description: 'Push messages to the contact, in order.' }),
    archives: Type.Array(ArchivedMessage, { description: 'Archived messages to the contact, as they were sent.' }),
    runs: Type.Array(ContactWorkflowRun, { description: 'Workflow runs of the contact, the oldest first.' }),
    webtaskRuns: Type.Array(ContactWebtaskRun, {
      description: 'Webtask runs for the contact, as far as they are retained.',
    }),
    exportDate: { ...instantSchema, description: 'Time of the export, in UTC.' },
  },
  { title: 'ContactExport' },
)
