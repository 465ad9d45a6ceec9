import { type Static, Type } from 'typebox'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { badRequestProblem } from '../../../lib/errors/problem.ts'
import { formatContactId, parseUuid } from '../../../lib/ids.ts'
import { parseTimePeriod } from '../../../lib/time/period.ts'
import { type PushSelection, readSentPushes, type SentPush } from '../../events/history/push-history.ts'

const Uuid = Type.String({ format: 'uuid' })
const date = (description?: string) => Type.String({ format: 'date-time', ...(description && { description }) })
const first = (what: string) => Type.Union([date(`of the first ${what}`), Type.Null()])

/** What became of a push, the first that applies. */
const states = ['bounced', 'opened', 'dismissed', 'optout', 'shown', 'sent'] as const

/** One push to one device of a contact. */
export const ReceivedNotification = Type.Object(
  {
    notification_key: Type.Integer({ description: 'the notification' }),
    target: Type.String({ description: 'the contact' }),
    libelle: Type.String({ description: 'name of the notification; of a deleted one the last' }),
    activation: date('when it was handed over'),
    redirection: first('tap'),
    dismiss: first('dismissal'),
    impression: first('impression'),
    optout: first('opt-out'),
    bounce: first('bounce'),
    notification: Type.Integer(),
    version: Uuid,
    application: Uuid,
    subscription: Uuid,
    stamp: Type.Object({ time: Type.Integer(), id: Uuid, thread: Uuid, set: Uuid }),
    date: date(),
    title: Type.Union([Type.String(), Type.Null()], {
      description: 'as it was rendered; null of what was sent before titles were kept',
    }),
    state: Type.Enum([...states]),
  },
  { title: 'ReceivedNotification' },
)
export type ReceivedNotification = Static<typeof ReceivedNotification>

const instant = (description: string) => Type.Optional(Type.String({ description }))

/** What the notifications of a contact are chosen by. */
export const PushHistoryFilters = {
  start: instant('of the activation, inclusive'),
  end: instant('of the activation, exclusive'),
  startDate: instant('as start, which goes before'),
  endDate: instant('as end, which goes before'),
  sort: Type.Optional(Type.Enum(['asc', 'desc'], { description: 'by activation; the newest first by default' })),
  application: Type.Optional(Type.String({ description: 'pushes of this application alone' })),
}
type Query = Readonly<Partial<Record<keyof typeof PushHistoryFilters, string>>>

/** Which pushes a query selects. Throws 400. */
export function parsePushSelection(account: AccountId, contact: number, query: Query): PushSelection {
  const spelling = (short: 'start' | 'end', long: 'startDate' | 'endDate') => (query[short] ? short : long)
  const application = query.application ? parseUuid(query.application) : undefined
  if (query.application && application === undefined) throw badRequestProblem('application', 'must be a UUID')
  const period = parseTimePeriod(query, spelling('start', 'startDate'), spelling('end', 'endDate'))
  return { account, contact, period, application, sort: query.sort === 'asc' ? 'asc' : 'desc' }
}

function stateOf({ bounce, redirection, dismiss, optout, impression }: SentPush): (typeof states)[number] {
  const happened = [bounce, redirection, dismiss, optout, impression, true]
  return states[happened.findIndex((one) => one !== null)] ?? 'sent'
}

/** A push as the list of its contact shows it. */
export function toReceivedNotification(contact: number, push: SentPush): ReceivedNotification {
  const shown = (at: Date | null) => at?.toISOString() ?? null
  const { at, notification, name, title, version, application, subscription, stamp } = push
  return {
    notification_key: notification,
    target: formatContactId(contact),
    libelle: name,
    activation: at.toISOString(),
    redirection: shown(push.redirection),
    dismiss: shown(push.dismiss),
    impression: shown(push.impression),
    optout: shown(push.optout),
    bounce: shown(push.bounce),
    ...{ notification, version, application, subscription, stamp },
    date: at.toISOString(),
    title,
    state: stateOf(push),
  }
}

/** Every notification that a contact got, in the order of their activations. */
export async function* listReceivedNotifications(
  db: Db,
  account: AccountId,
  contact: number,
): AsyncGenerator<ReceivedNotification> {
  const all = parsePushSelection(account, contact, { sort: 'asc' })
  for await (const push of readSentPushes(db, all)) yield toReceivedNotification(contact, push)
}
