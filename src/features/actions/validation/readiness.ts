import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { conflictProblem, notFoundProblem } from '../../../lib/errors/problem.ts'
import { timeSpanLengthMs } from '../../../lib/time/spans.ts'
import type { AccountSendingSettings } from '../../accounts/sending-settings-schemas.ts'
import { loadContactDefinitions } from '../../contacts/fields/stored-definitions.ts'
import { isTopicRequired } from '../../pressure/settings.ts'
import { loadSegmentAudience } from '../../segments/members/audience.ts'
import { computeCampaignTiming } from '../execution/timing.ts'
import type { StoredAction } from '../resource/action-repository.ts'

/** Why an action cannot be validated: a stable word, the member it is about, and what to change. */
export interface ReadinessReason {
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
): Promise<ReadinessReason[]> {
  const { rows } = await sql<{ id: number; known: boolean; is_test: boolean; expired: boolean }>`
    select n.id, s.id is not null as known, s.is_test, s.expires_at <= ${now} as expired
    from unnest(${segments}::integer[]) with ordinality as n (id, place)
    left join segments s on s.account = ${account} and s.id = n.id order by place`.execute(db)
  const unknown = rows.find(({ known }) => !known)
  if (unknown) throw notFoundProblem('segment', unknown.id)
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
export async function requireUsableSegments(
  db: Db,
  account: AccountId,
  segments: readonly number[],
  options: { now: Date; test: boolean },
): Promise<void> {
  const [reason] = await segmentReasons(db, account, segments, options)
  if (reason) throw conflictProblem(reason.kind, reason.words)
}

/** Whether an action asks for a consent that the account has no field for. */
export function findConsentReasons(
  { settings }: StoredAction,
  { optInField, doubleOptInField }: Pick<AccountSendingSettings, 'optInField' | 'doubleOptInField'>,
): ReadinessReason[] {
  const fields = { 1: ['optInField', optInField], 2: ['doubleOptInField', doubleOptInField] } as const
  if (settings.consent === 0) return []
  const [name, field] = fields[settings.consent]
  if (field !== null) return []
  const words = `settings.consent is ${settings.consent}, and the account names no ${name} in /settings/sending.`
  return [{ kind: 'consent-field-missing', pointer: '/settings/consent', words }]
}

/** Whether a marketing action lacks the topic that the account asks for. */
export async function findTopicReasons(tx: Db, { account, settings }: StoredAction): Promise<ReadinessReason[]> {
  const isNamed = settings.purpose.type !== 'marketing' || settings.mp.topic != null
  if (isNamed || !(await isTopicRequired(tx, account))) return []
  const words = 'Marketing needs a topic here: set settings.mp.topic.'
  return [{ kind: 'topic-missing', pointer: '/settings/mp/topic', words }]
}

/** Whether an experiment has no time to send its shares and to be decided of before the end of its campaign. */
async function experimentReasons(
  tx: Db,
  { account, settings, scheduler, segments }: StoredAction,
  startsAt: number,
): Promise<ReadinessReason[]> {
  const { experiment } = settings
  if (!experiment || !scheduler?.endDate) return []
  const { speed, endDate } = scheduler
  const audience = await loadSegmentAudience(tx, account, segments, startsAt)
  const { rows } = await sql<{ n: number }>`select count(*) as n from (${audience}) as audience (id)`.execute(tx)
  const contacts = (Number(rows[0]?.n ?? 0) * (100 - experiment.holdout)) / 100
  const sendingMs = speed > 0 ? (contacts / speed) * 3_600_000 : 0
  if (startsAt + sendingMs + timeSpanLengthMs(experiment.decideAfter) < Date.parse(endDate)) return []
  const pace = speed > 0 ? `; ${Math.round(contacts)} messages at ${speed} an hour take too long` : ''
  const words = `The experiment cannot be decided of and sent before scheduler.endDate${pace}.`
  return [{ kind: 'experiment-too-slow', pointer: '/scheduler/endDate', words }]
}

/** Of a campaign: why it cannot start as it is set, and its scheduler with the instant at which it will. */
export async function resolveCampaignStart(
  tx: Db,
  action: StoredAction,
  now: Date,
): Promise<{ reasons: ReadinessReason[]; scheduler: StoredAction['scheduler'] }> {
  const { account, scheduler, segments } = action
  if (scheduler === null) return { reasons: [], scheduler }
  const reasons: ReadinessReason[] = []
  const add = (kind: string, pointer: string, words: string): void => {
    reasons.push({ kind, pointer: `/scheduler/${pointer}`, words })
  }
  if (segments.selected.length === 0)
    add('segment-missing', 'segments/selected', 'The campaign selects no segment: set scheduler.segments.selected.')
  reasons.push(...(await segmentReasons(tx, account, segments.selected, { now, test: false })))
  const { settings } = await loadContactDefinitions(tx, account)
  const timing = computeCampaignTiming(scheduler, settings.timeZone, now.getTime())
  if (!timing) add('start-missing', 'startDate', `scheduler.startDate is required for the type ${scheduler.type}.`)
  if (timing && timing.latest < now.getTime()) add('start-past', 'startDate', 'scheduler.startDate is in the past.')
  if (scheduler.endDate !== null && Date.parse(scheduler.endDate) <= now.getTime())
    add('end-past', 'endDate', 'scheduler.endDate is in the past.')
  if (reasons.length === 0 && timing) reasons.push(...(await experimentReasons(tx, action, timing.startsAt)))
  return {
    reasons,
    scheduler: timing ? { ...scheduler, startsAt: new Date(timing.startsAt).toISOString() } : scheduler,
  }
}
