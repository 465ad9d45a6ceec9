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
  Type.Union([buildDateSchema(`of the first ${eventName}`), Type.Null()])

/** State of a push, the first that applies. */
const PUSH_STATES = ['bounced', 'opened', 'dismissed', 'optout', 'shown', 'sent'] as const

/** One push to one device of a contact. */
export const ReceivedNotification = Type.Object(
  {
    notification_key: Type.Integer({ description: 'the notification' }),
    target: Type.String({ description: 'the contact' }),
    libelle: Type.String({ description: 'name of the notification; of a deleted one the last' }),
    activation: buildDateSchema('when it was handed over'),
    redirection: buildFirstDateSchema('tap'),
    dismiss: buildFirstDateSchema('dismissal'),
    impression: buildFirstDateSchema('impression'),
    optout: buildFirstDateSchema('opt-out'),
    bounce: buildFirstDateSchema('bounce'),
    notification: Type.Integer({ description: 'id of the notification' }),
    version: { ...UuidSchema, description: 'which version it is' },
    application: { ...UuidSchema, description: 'id of the application' },
    subscription: { ...UuidSchema, description: 'id of the subscription' },
    stamp: Type.Object(
      {
        time: Type.Integer({ description: 'milliseconds since 1970' }),
        id: { ...UuidSchema, description: 'what names it in this account' },
        thread: { ...UuidSchema, description: 'what names one conversation or send' },
        set: { ...UuidSchema, description: 'id of the batch: a request, or a run' },
      },
      { description: 'what names one send' },
    ),
    date: buildDateSchema('when it happened, in UTC'),
    title: Type.Union([Type.String(), Type.Null()], {
      description: 'as it was rendered; null of what was sent before titles were kept',
    }),
    state: Type.Enum([...PUSH_STATES], { description: 'where it stands on its way' }),
  },
  { title: 'ReceivedNotification' },
)
export type ReceivedNotification = Static<typeof ReceivedNotification>

const buildInstantSchema = (description: string) => Type.Optional(Type.String({ description }))

/** Filters of the notifications of a contact. */
export const PushHistoryFilters = {
  start: buildInstantSchema('of the activation, inclusive'),
  end: buildInstantSchema('of the activation, exclusive'),
  startDate: buildInstantSchema('as start, which goes before'),
  endDate: buildInstantSchema('as end, which goes before'),
  sort: Type.Optional(Type.Enum(['asc', 'desc'], { description: 'by activation; the newest first by default' })),
  application: Type.Optional(Type.String({ description: 'pushes of this application alone' })),
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
