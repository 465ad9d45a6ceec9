import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { conflict, notFound } from '../../lib/problem.ts'
import type { SendingSettings } from '../accounts/sending-settings-schemas.ts'
import { loadFields } from '../fields/definitions.ts'
import { isTopicRequired } from '../pressure/settings.ts'
import type { StoredAction } from './stored.ts'
import { timingOf } from './timing.ts'

/** Why an action cannot be validated: a stable word, the member it is about, and what to change. */
export interface Reason {
  kind: string
  pointer: string
  words: string
}

/** Faults of segments, in the order in which they are listed; only tests ask for test segments. */
async function segmentReasons(
  db: Db,
  account: AccountId,
  segments: readonly number[],
  { now, test }: { now: Date; test: boolean },
): Promise<Reason[]> {
  const { rows } = await sql<{ id: number; known: boolean; is_test: boolean; expired: boolean }>`
    select n.id, s.id is not null as known, s.is_test, s.expires_at <= ${now} as expired
    from unnest(${segments}::integer[]) with ordinality as n (id, place)
    left join segments s on s.account = ${account} and s.id = n.id order by place`.execute(db)
  const unknown = rows.find(({ known }) => !known)
  if (unknown) throw notFound('segment', unknown.id)
  const pointer = test ? '/testSegments' : '/scheduler/segments/selected'
  const others = rows.filter(({ is_test }) => test && !is_test)
  const expired = rows.filter((row) => row.expired)
  return [
    ...others.map(({ id }) => ({
      kind: 'segment-not-test',
      pointer,
      words: `Segment ${id} is no test segment: its isTest is false.`,
    })),
    ...expired.map(({ id }) => ({
      kind: 'segment-expired',
      pointer,
      words: `Segment ${id} has expired: give it a later expiration or select another one.`,
    })),
  ]
}

/** Throws notFound for an unknown segment, conflict for one that is expired, or no test segment where it must be one. */
export async function refuseSegments(
  db: Db,
  account: AccountId,
  segments: readonly number[],
  options: { now: Date; test: boolean },
): Promise<void> {
  const [reason] = await segmentReasons(db, account, segments, options)
  if (reason) throw conflict(reason.kind, reason.words)
}

/** Whether an action asks for a consent that the account has no field for. */
export function consentReasons(
  { settings }: StoredAction,
  { optInField, doubleOptInField }: Pick<SendingSettings, 'optInField' | 'doubleOptInField'>,
): Reason[] {
  const fields = { 1: ['optInField', optInField], 2: ['doubleOptInField', doubleOptInField] } as const
  if (settings.consent === 0) return []
  const [name, field] = fields[settings.consent]
  if (field !== null) return []
  const words = `settings.consent is ${settings.consent}, and the account names no ${name} in /settings/sending.`
  return [{ kind: 'consent-field-missing', pointer: '/settings/consent', words }]
}

/** Whether a marketing action lacks the topic that the account asks for. */
export async function topicReasons(tx: Db, { account, settings }: StoredAction): Promise<Reason[]> {
  const isNamed = settings.purpose.type !== 'marketing' || settings.mp.topic != null
  if (isNamed || !(await isTopicRequired(tx, account))) return []
  const words = 'Marketing needs a topic here: set settings.mp.topic.'
  return [{ kind: 'topic-missing', pointer: '/settings/mp/topic', words }]
}

/** Of a campaign: why it cannot start as it is set, and its scheduler with the instant at which it will. */
export async function startOf(
  tx: Db,
  { account, scheduler, segments }: StoredAction,
  now: Date,
): Promise<{ reasons: Reason[]; scheduler: StoredAction['scheduler'] }> {
  if (scheduler === null) return { reasons: [], scheduler }
  const reasons: Reason[] = []
  const add = (kind: string, pointer: string, words: string): void => {
    reasons.push({ kind, pointer: `/scheduler/${pointer}`, words })
  }
  if (segments.selected.length === 0)
    add('segment-missing', 'segments/selected', 'The campaign selects no segment: set scheduler.segments.selected.')
  reasons.push(...(await segmentReasons(tx, account, segments.selected, { now, test: false })))
  const { settings } = await loadFields(tx, account)
  const timing = timingOf(scheduler, settings.timeZone, now.getTime())
  if (!timing) add('start-missing', 'startDate', `scheduler.startDate is required for the type ${scheduler.type}.`)
  if (timing && timing.latest < now.getTime()) add('start-past', 'startDate', 'scheduler.startDate is in the past.')
  if (scheduler.endDate !== null && Date.parse(scheduler.endDate) <= now.getTime())
    add('end-past', 'endDate', 'scheduler.endDate is in the past.')
  return {
    reasons,
    scheduler: timing ? { ...scheduler, startsAt: new Date(timing.startsAt).toISOString() } : scheduler,
  }
}
