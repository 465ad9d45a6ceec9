import { sql } from 'kysely'
import type { PushTarget } from '../../../channels/push/content.ts'
import { listPushTemplates, pushTextMembers } from '../../../channels/push/parts.ts'
import type { ServiceContext } from '../../../context.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { Problem, type ProblemFault } from '../../../lib/errors/problem.ts'
import { loadContactDefinitions } from '../../contacts/fields/stored-definitions.ts'
import { listFormIds } from '../../forms/forms.ts'
import { isTopicRequired } from '../../pressure/settings.ts'
import type { ContentSource } from '../../rendering/content.ts'
import type { PushVersion } from '../notification-schemas.ts'
import { findNextNotificationStart } from '../sends/tasks.ts'
import type { NotificationDefinition, NotificationKey } from '../stored.ts'
import { findPushApplication, type PushApplication } from './references.ts'

/** Names of the routes and channels that a version uses, where it names them. */
function listTargetNames({ content, redirection, channel }: PushVersion) {
  const targets: [string, PushTarget | null][] = [
    ['redirection', redirection],
    ['channel', channel],
    ...content.buttons.map((button, index): [string, PushTarget | null] => [
      `content/buttons/${index}/redirection`,
      button.redirection,
    ]),
  ]
  return targets.flatMap(([path, target]) => (target && target.type !== 'literal' ? [{ path, target }] : []))
}

function isBlank(text: string | null): boolean {
  return text === null || text.trim() === ''
}

/** Describes a version in words. */
function describeVersion({ name, id }: PushVersion): string {
  return name === null ? `version ${id}` : `version ${id} (${name})`
}

/** Missing parts of a version, and names in it that the application does not declare. */
export function findPushVersionFaults(
  version: PushVersion,
  at: string,
  application: PushApplication | undefined,
): ProblemFault[] {
  const missing = (['title', 'body'] as const)
    .filter((name) => isBlank(version.content[name]))
    .map((name) => ({ pointer: `${at}/content/${name}`, detail: `${describeVersion(version)} has no ${name}` }))
  const insecureUrls = (['icon', 'thumbnail', 'image'] as const)
    .filter((name) => /^http:/i.test(version.content[name] ?? ''))
    .map((name) => ({
      pointer: `${at}/content/${name}`,
      detail: `${describeVersion(version)}: ${name} must be an https address or the name of a resource`,
    }))
  const unknownTargets = listTargetNames(version).flatMap(({ path, target }): ProblemFault[] => {
    const declaredTargets = (target.type === 'route' ? application?.routes : application?.channels) ?? []
    if (!application || declaredTargets.some(({ name }) => name === target.value)) return []
    return [{ pointer: `${at}/${path}/value`, detail: `the application has no ${target.type} "${target.value}"` }]
  })
  return [...missing, ...insecureUrls, ...unknownTargets]
}

/** Pointer of a part of a version. */
function buildPartPointer(at: string, part: string): string {
  const isOfContent = part.startsWith('buttons/') || pushTextMembers.some((name) => name === part)
  return isOfContent ? `${at}/content/${part}` : `${at}/${part}`
}

/** Faults of the templates of all versions, compiled as one content. */
async function findTemplateFaults(
  { db, renders }: Pick<ServiceContext, 'db' | 'renders'>,
  account: AccountId,
  { versions, culture }: Pick<NotificationDefinition, 'versions' | 'culture'>,
): Promise<ProblemFault[]> {
  const { fields } = await loadContactDefinitions(db, account)
  const parts = versions.flatMap(({ content, redirection, channel }, index) =>
    listPushTemplates({ ...content, redirection, channel }).map((part) => ({
      ...part,
      name: buildPartPointer(`/versions/${index}`, part.name),
    })),
  )
  const source: ContentSource = {
    parts,
    fields: fields.map(({ id, name }) => ({ id, name })),
    forms: await listFormIds(db, account),
    culture,
    environment: {},
    honeypot: false,
    wantsUnsubscribeLink: false,
    analyse: false,
  }
  const { errors } = await renders.compile(source)
  return errors.map(({ part, message, position }) => ({
    pointer: part,
    detail: position ? `${message} (line ${position.line}, column ${position.column})` : message,
  }))
}

async function findApplicationFaults(
  db: Db,
  account: AccountId,
  id: string | null,
): Promise<{ application: PushApplication | undefined; faults: ProblemFault[] }> {
  const pointer = '/settings/application'
  if (id === null) return { application: undefined, faults: [{ pointer, detail: 'no application is set' }] }
  const application = await findPushApplication(db, account, id)
  if (!application) return { application, faults: [{ pointer, detail: 'the application has been deleted' }] }
  return { application, faults: application.active ? [] : [{ pointer, detail: 'the application is not active' }] }
}

async function findSchedulerFaults(
  db: Db,
  account: AccountId,
  { task, segments }: NotificationDefinition,
  { now, isTimed }: { now: number; isTimed: boolean },
): Promise<ProblemFault[]> {
  if (!task?.scheduler) return []
  const pointer = '/task/segments/selected'
  const { rows } = await sql<{ id: number }>`
    select id from segments where account = ${account} and id = any(${segments.selected}::integer[])
      and expires_at <= ${new Date(now)} order by id`.execute(db)
  const faults: ProblemFault[] = rows.map(({ id }) => ({ pointer, detail: `segment ${id} has expired` }))
  if (segments.selected.length === 0) faults.push({ pointer, detail: 'a scheduler requires a selected segment' })
  if (isTimed && findNextNotificationStart(task.scheduler, now) === undefined) {
    const { type, startDate } = task.scheduler
    const neverStartsDetail = type === 'cron' ? 'the scheduler never matches' : 'startDate is in the past'
    const detail = type !== 'cron' && startDate == null ? 'startDate is required' : neverStartsDetail
    faults.push({ pointer: '/task/scheduler', detail })
  }
  return faults
}

/** Faults of a marketing notification without the topic that the account requires. */
async function findTopicFaults(
  db: Db,
  account: AccountId,
  { purpose, mp }: NotificationDefinition,
): Promise<ProblemFault[]> {
  if (purpose !== 'marketing' || mp.topic != null || !(await isTopicRequired(db, account))) return []
  return [{ pointer: '/settings/mp/topic', detail: 'a marketing notification requires a topic' }]
}

/**
 * Faults that prevent a notification from being sent. `isTimed` also requires that its scheduler, if it has one, still has a future start.
 */
export async function findPushActivationFaults(
  context: Pick<ServiceContext, 'db' | 'renders'>,
  account: AccountId,
  content: NotificationDefinition,
  when: { now: number; isTimed: boolean },
): Promise<ProblemFault[]> {
  const { application, faults } = await findApplicationFaults(context.db, account, content.application)
  return [
    ...faults,
    ...content.versions.flatMap((version, index) => findPushVersionFaults(version, `/versions/${index}`, application)),
    ...(await findTemplateFaults(context, account, content)),
    ...(await findSchedulerFaults(context.db, account, content, when)),
    ...(await findTopicFaults(context.db, account, content)),
  ]
}

/** Throws 409 with all that speaks against it. */
export function requireActivatable(id: number, faults: readonly ProblemFault[]): void {
  const [firstFault] = faults
  if (!firstFault) return
  const moreSuffix = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''
  const messageText = `The notification ${id} cannot be active: ${firstFault.detail}${moreSuffix}.`
  throw new Problem(409, 'notification-not-ready', messageText, { errors: [...faults] })
}

/**
 * Throws 409 when the application has lost a route or a channel since the checks; nothing of it goes until the transaction
 * ends.
 */
export async function requireTargetNames(
  tx: Db,
  { account, id }: NotificationKey,
  { application: applicationId, versions }: NotificationDefinition,
): Promise<void> {
  const application = applicationId === null ? undefined : await findPushApplication(tx, account, applicationId)
  requireActivatable(
    id,
    versions.flatMap((version, index) => findPushVersionFaults(version, `/versions/${index}`, application)),
  )
}
