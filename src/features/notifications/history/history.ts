import { type Static, Type } from 'typebox'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { badRequestProblem } from '../../../lib/errors/problem.ts'
import { formatContactId, parseUuid } from '../../../lib/ids.ts'
import { parseTimePeriod } from '../../../lib/time/period.ts'
import { type PushSelection, readSentPushes, type SentPush } from '../../events/history/push-history.ts'

const UuidSchema = Type.String({ format: 'uuid' })
const buildDateSchema = (description?: string) =>
  Type.String({ format: 'date-time', ...(description && { description }) })
const buildFirstDateSchema = (eventName: string) =>
  Type.Union([buildDateSchema(`Time of the first ${eventName}, in UTC. Null: none.`), Type.Null()])

/** State of a push, the first that applies. */
const PUSH_STATES = ['bounced', 'opened', 'dismissed', 'optout', 'shown', 'sent'] as const

/** One push to one device of a contact. */
export const ReceivedNotification = Type.Object(
  {
    notification_key: Type.Integer({ description: 'ID of the notification; same as `notification`.' }),
    target: Type.String({ description: 'ID of the contact.' }),
    libelle: Type.String({ description: 'Name of the notification; for a deleted one, the last name.' }),
    activation: buildDateSchema('Time at which the message was sent to the provider, in UTC.'),
    redirection: buildFirstDateSchema('tap'),
    dismiss: buildFirstDateSchema('dismissal'),
    impression: buildFirstDateSchema('impression'),
    optout: buildFirstDateSchema('opt-out'),
    bounce: buildFirstDateSchema('bounce'),
    notification: Type.Integer({ description: 'ID of the notification.' }),
    version: { ...UuidSchema, description: 'ID of the version.' },
    application: { ...UuidSchema, description: 'ID of the application.' },
    subscription: { ...UuidSchema, description: 'ID of the subscription: the device.' },
    stamp: Type.Object(
      {
        time: Type.Integer({ description: 'Time in milliseconds since 1970.' }),
        id: { ...UuidSchema, description: 'ID of the message, which all its events refer to.' },
        thread: { ...UuidSchema, description: 'ID of the thread.' },
        set: { ...UuidSchema, description: 'ID of the batch: one request, or one run.' },
      },
      { description: 'Identifiers of the message.' },
    ),
    date: buildDateSchema('Same as `activation`.'),
    title: Type.Union([Type.String(), Type.Null()], {
      description: 'Title as rendered. Null: sent before titles were stored.',
    }),
    state: Type.Enum([...PUSH_STATES], {
      description:
        'State of the message, the first that applies: `bounced`, `opened`, `dismissed`, `optout` (the ' +
        'user muted messages), `shown`, `sent`.',
    }),
  },
  { title: 'ReceivedNotification' },
)
export type ReceivedNotification = Static<typeof ReceivedNotification>

const buildInstantSchema = (description: string) => Type.Optional(Type.String({ description }))

/** Filters of the notifications of a contact. */
export const PushHistoryFilters = {
  start: buildInstantSchema('Start of the period of the activation, inclusive.'),
  end: buildInstantSchema('End of the period of the activation, exclusive.'),
  startDate: buildInstantSchema('Same as `start`, which takes precedence.'),
  endDate: buildInstantSchema('Same as `end`, which takes precedence.'),
  sort: Type.Optional(
    Type.Enum(['asc', 'desc'], { description: 'Order by time of activation. Default: the newest first.' }),
  ),
  application: Type.Optional(
    Type.String({ description: 'ID of the application; only its messages are returned. Absent: all.' }),
  ),
}
type HistoryQuery = Readonly<Partial<Record<keyof typeof PushHistoryFilters, string>>>

/** Parses the pushes that a query selects. Throws 400. */
export function parsePushSelection(account: AccountId, contact: number, query: HistoryQuery): PushSelection {
  const resolveParameterName = (short: 'start' | 'end', long: 'startDate' | 'endDate') => (query[short] ? short : long)
  const application = query.application ? parseUuid(query.application) : undefined
  if (query.application && application === undefined) throw badRequestProblem('application', 'must be a UUID')
  const period = parseTimePeriod(
    query,
    resolveParameterName('start', 'startDate'),
    resolveParameterName('end', 'endDate'),
  )
  return { account, contact, period, application, sort: query.sort === 'asc' ? 'asc' : 'desc' }
}

function resolvePushState({
  bounce,
  redirection,
  dismiss,
  optout,
  impression,
}: SentPush): (typeof PUSH_STATES)[number] {
  const outcomes = [bounce, redirection, dismiss, optout, impression, true]
  return PUSH_STATES[outcomes.findIndex((outcome) => outcome !== null)] ?? 'sent'
}

/** A push as the list of its contact shows it. */
export function toReceivedNotification(contact: number, push: SentPush): ReceivedNotification {
  const formatDate = (at: Date | null) => at?.toISOString() ?? null
  const { at, notification, name, title, version, application, subscription, stamp } = push
  return {
    notification_key: notification,
    target: formatContactId(contact),
    libelle: name,
    activation: at.toISOString(),
    redirection: formatDate(push.redirection),
    dismiss: formatDate(push.dismiss),
    impression: formatDate(push.impression),
    optout: formatDate(push.optout),
    bounce: formatDate(push.bounce),
    notification,
    version,
    application,
    subscription,
    stamp,
    date: at.toISOString(),
    title,
    state: resolvePushState(push),
  }
}

/** Every notification that a contact got, in the order of their activations. */
export async function* listReceivedNotifications(
  db: Db,
  account: AccountId,
  contact: number,
): AsyncGenerator<ReceivedNotification> {
  const selection = parsePushSelection(account, contact, { sort: 'asc' })
  for await (const push of readSentPushes(db, selection)) yield toReceivedNotification(contact, push)
}
