import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { conflictProblem, notFoundProblem } from '../../../lib/errors/problem.ts'
import { timeSpanLengthMs } from '../../../lib/time/spans.ts'
import type { AccountSendingSettings } from '../../accounts/sending-settings-schemas.ts'
import { loadContactDefinitions } from '../../contacts/fields/stored-definitions.ts'
import { isTopicRequired } from '../../pressure/settings.ts'
import { loadSegmentAudience } from '../../segments/members/segment-audience.ts'
import { computeCampaignTiming } from '../execution/timing.ts'
import type { StoredAction } from '../resource/action-repository.ts'

/** Why an action cannot be validated: a stable word, the member it is about, and what to change. */
export interface ReadinessReason {
  kind: string
  pointer: string
  words: string
}

/** Faults of segments, in the order in which they are listed; only tests ask for test segments. */
async function listSegmentReasons(
  db: Db,
  account: AccountId,
  segments: readonly number[],
  { now, test }: { now: Date; test: boolean },
): Promise<ReadinessReason[]> {
  const { rows } = await sql<{ id: number; known: boolean; is_test: boolean; expired: boolean }>`
    select n.id, s.id is not null as known, s.is_test, s.expires_at <= ${now} as expired
    from unnest(${segments}::integer[]) with ordinality as n (id, place)
    left join segments s on s.account = ${account} and s.id = n.id order by place`.execute(db)
  const unknownSegment = rows.find(({ known: isKnown }) => !isKnown)
  if (unknownSegment) throw notFoundProblem('segment', unknownSegment.id)
  const pointer = test ? '/testSegments' : '/scheduler/segments/selected'
  const otherSegments = rows.filter(({ is_test }) => test && !is_test)
  const expiredSegments = rows.filter((row) => row.expired)
  return [
    ...otherSegments.map(({ id }) => ({
      kind: 'segment-not-test',
      pointer,
      words: `Segment ${id} is not a test segment: its isTest is false.`,
    })),
    ...expiredSegments.map(({ id }) => ({
      kind: 'segment-expired',
      pointer,
      words: `Segment ${id} has expired. Set a later expiration or select another segment.`,
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
  const [reason] = await listSegmentReasons(db, account, segments, options)
  if (reason) throw conflictProblem(reason.kind, reason.words)
}

/** Reasons why an action requires a consent that the account has no field for. */
export function findConsentReasons(
  { settings }: StoredAction,
  { optInField, doubleOptInField }: Pick<AccountSendingSettings, 'optInField' | 'doubleOptInField'>,
): ReadinessReason[] {
  const fields = { 1: ['optInField', optInField], 2: ['doubleOptInField', doubleOptInField] } as const
  if (settings.consent === 0) return []
  const [name, field] = fields[settings.consent]
  if (field !== null) return []
  const detailText = `settings.consent is ${settings.consent}, but the account has no ${name} in /settings/sending.`
  return [{ kind: 'consent-field-missing', pointer: '/settings/consent', words: detailText }]
}

/** Reasons why a marketing action lacks the topic that the account requires. */
export async function findTopicReasons(tx: Db, { account, settings }: StoredAction): Promise<ReadinessReason[]> {
  const isNamed = settings.purpose.type !== 'marketing' || settings.mp.topic != null
  if (isNamed || !(await isTopicRequired(tx, account))) return []
  const detailText = 'Marketing messages of this account require a topic: set settings.mp.topic.'
  return [{ kind: 'topic-missing', pointer: '/settings/mp/topic', words: detailText }]
}

/** Reasons why an experiment has too little time to send its shares and to be decided before the end of its campaign. */
async function listExperimentReasons(
  tx: Db,
  { account, settings, scheduler, segments }: StoredAction,
  startsAt: number,
): Promise<ReadinessReason[]> {
  const { experiment } = settings
  if (!experiment || !scheduler?.endDate) return []
  const { speed, endDate } = scheduler
  const audience = await loadSegmentAudience(tx, account, segments, startsAt)
  const { rows } = await sql<{ n: number }>`select count(*) as n from (${audience}) as audience (id)`.execute(tx)
  const contactCount = (Number(rows[0]?.n ?? 0) * (100 - experiment.holdout)) / 100
  const sendingMs = speed > 0 ? (contactCount / speed) * 3_600_000 : 0
  if (startsAt + sendingMs + timeSpanLengthMs(experiment.decideAfter) < Date.parse(endDate)) return []
  const paceText = speed > 0 ? `; ${Math.round(contactCount)} messages at ${speed} per hour take too long` : ''
  const detailText = `The experiment cannot be decided and sent before scheduler.endDate${paceText}.`
  return [{ kind: 'experiment-too-slow', pointer: '/scheduler/endDate', words: detailText }]
}

/** Reasons why a campaign cannot start with its settings, and its scheduler with the time at which it will start. */
export async function resolveCampaignStart(
  tx: Db,
  action: StoredAction,
  now: Date,
): Promise<{ reasons: ReadinessReason[]; scheduler: StoredAction['scheduler'] }> {
  const { account, scheduler, segments } = action
  if (scheduler === null) return { reasons: [], scheduler }
  const reasons: ReadinessReason[] = []
  const addReason = (kind: string, pointer: string, detailText: string): void => {
    reasons.push({ kind, pointer: `/scheduler/${pointer}`, words: detailText })
  }
  if (segments.selected.length === 0)
    addReason(
      'segment-missing',
      'segments/selected',
      'The campaign selects no segment: set scheduler.segments.selected.',
    )
  reasons.push(...(await listSegmentReasons(tx, account, segments.selected, { now, test: false })))
  const { settings } = await loadContactDefinitions(tx, account)
  const timing = computeCampaignTiming(scheduler, settings.timeZone, now.getTime())
  if (!timing)
    addReason('start-missing', 'startDate', `scheduler.startDate is required for the type ${scheduler.type}.`)
  if (timing && timing.latest < now.getTime())
    addReason('start-past', 'startDate', 'scheduler.startDate is in the past.')
  if (scheduler.endDate !== null && Date.parse(scheduler.endDate) <= now.getTime())
    addReason('end-past', 'endDate', 'scheduler.endDate is in the past.')
  if (reasons.length === 0 && timing) reasons.push(...(await listExperimentReasons(tx, action, timing.startsAt)))
  return {
    reasons,
    scheduler: timing ? { ...scheduler, startsAt: new Date(timing.startsAt).toISOString() } : scheduler,
  }
}
