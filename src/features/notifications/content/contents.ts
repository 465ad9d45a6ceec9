import { pushChannelTraits } from '../../../channels/push/traits.ts'
import { type ContentVersionSource, toContentSource } from '../../../channels/version-source.ts'
import type { ServiceContext } from '../../../context.ts'
import { type Db, inTransaction, toJsonbText } from '../../../database/connection/connect.ts'
import { invalidRequestProblem, type ProblemFault } from '../../../lib/errors/problem.ts'
import { type ContentVersionLink, storeContentVersion } from '../../../sending/plan/content-version.ts'
import type { PushOverrides } from '../item-schemas.ts'
import type { PushVersion } from '../notification-schemas.ts'
import { lockNotification, type StoredNotification } from '../stored.ts'
import { findPushVersionFaults, requireActivatable } from './checks.ts'
import { buildPushSource, type PushSourceContext } from './drafts.ts'
import { applyPushOverrides, buildPushOverridesKey, hasPushOverrides } from './overrides.ts'
import type { PushApplication } from './references.ts'

/** The version that a request is sent with, and what it brings in place of its members. `at`: pointer to the request. */
export interface ChosenPushContent {
  version: PushVersion
  given: PushOverrides
  at: string
}

interface CompiledVersion {
  source: ContentVersionSource
  links: readonly ContentVersionLink[]
}

/** Contents of requests, by buildPushContentKey: those of versions have a number already. */
export interface PreparedPushContents {
  own: ReadonlyMap<string, number>
  brought: ReadonlyMap<string, CompiledVersion>
}

/** Context for creating contents. */
export interface PushContentContext {
  context: Pick<ServiceContext, 'db' | 'clock' | 'renders'>
  row: StoredNotification
  surroundings: PushSourceContext
  application: PushApplication
}

/** One text for a content: requests with the same share it. */
export function buildPushContentKey({
  version,
  given: overrides,
}: Pick<ChosenPushContent, 'version' | 'given'>): string {
  return hasPushOverrides(overrides) ? `${version.id} ${buildPushOverridesKey(overrides)}` : version.id
}

/** True if nothing that messages depend on has changed. */
export function isNotificationUnchanged(before: StoredNotification, row: StoredNotification): boolean {
  const omitVolatileMembers = (notification: StoredNotification) => ({
    ...notification,
    frozen: null,
    lastRunAt: null,
    nextRunAt: null,
  })
  return JSON.stringify(omitVolatileMembers(before)) === JSON.stringify(omitVolatileMembers(row))
}

/** Names of routes and channels, and texts, that a request brings and that cannot be. */
function findOverrideFaults(
  { version, given: overrides, at }: ChosenPushContent,
  application: PushApplication,
): ProblemFault[] {
  const versionFaults = new Set(
    findPushVersionFaults(version, at, application).map(({ pointer, detail }) => `${pointer} ${detail}`),
  )
  return findPushVersionFaults(applyPushOverrides(version, overrides), at, application)
    .filter(({ pointer, detail }) => !versionFaults.has(`${pointer} ${detail}`))
    .map(({ pointer, detail }) => ({ pointer: pointer.replace(`${at}/content/`, `${at}/`), detail }))
}

/** Compiles a content. Throws 400 for what the request brings, 409 for what is wrong with the version. */
async function compileContent(
  { context, row, surroundings, application }: PushContentContext,
  chosenContent: ChosenPushContent,
) {
  const { version, given: overrides, at } = chosenContent
  const faults = findOverrideFaults(chosenContent, application)
  if (faults.length > 0) throw invalidRequestProblem(faults)
  const source = buildPushSource(surroundings, row, applyPushOverrides(version, overrides))
  const { errors, links } = await context.renders.compile(toContentSource(source))
  const isBrought = (part: string | null) => overrides[(part ?? '').split('/')[0] as keyof PushOverrides] != null
  const overrideErrors = errors.filter(({ part }) => isBrought(part))
  if (overrideErrors.length > 0)
    throw invalidRequestProblem(
      overrideErrors.map(({ part, message }) => ({ pointer: `${at}/${part}`, detail: message })),
    )
  const versionIndex = row.versions.findIndex(({ id }) => id === version.id)
  requireActivatable(
    row.id,
    errors.map(({ part, message }) => ({ pointer: `/versions/${versionIndex}/${part}`, detail: message })),
  )
  return { source, links }
}

function freezeContent(
  tx: Db,
  { account, id }: StoredNotification,
  content: CompiledVersion,
  now: Date,
): Promise<number> {
  return storeContentVersion(tx, { account, sourceKind: pushChannelTraits.sourceKind, source: id }, content, now)
}

/** Keeps contents of versions with the notification; undefined when it was changed meanwhile. */
async function freezeVersions(
  { context: { db, clock }, row }: PushContentContext,
  fresh: ReadonlyMap<string, CompiledVersion>,
): Promise<Map<string, number> | undefined> {
  return inTransaction(db, async (tx) => {
    const now = await lockNotification(tx, row)
    if (!isNotificationUnchanged(row, now)) return undefined
    const frozen = { ...now.frozen }
    for (const [key, content] of fresh) frozen[key] ??= await freezeContent(tx, row, content, new Date(clock.now()))
    await tx
      .updateTable('notifications')
      .set({ frozen: toJsonbText(frozen) })
      .where('account', '=', row.account)
      .where('id', '=', row.id)
      .execute()
    return new Map(Object.entries(frozen))
  })
}

/**
 * Compiles what requests are sent with; contents of versions are kept once until the notification changes. Undefined when it was
 * changed meanwhile. Throws 400 for what requests bring, 409 for what is wrong with a version.
 */
export async function preparePushContents(
  maker: PushContentContext,
  chosenContents: readonly ChosenPushContent[],
): Promise<PreparedPushContents | undefined> {
  const distinctContents = new Map(
    chosenContents.map((chosenContent) => [buildPushContentKey(chosenContent), chosenContent]),
  )
  const overriddenContents = new Map<string, CompiledVersion>()
  const newContents = new Map<string, CompiledVersion>()
  for (const [key, chosenContent] of distinctContents) {
    if (hasPushOverrides(chosenContent.given)) overriddenContents.set(key, await compileContent(maker, chosenContent))
    else if (maker.row.frozen[key] === undefined) newContents.set(key, await compileContent(maker, chosenContent))
  }
  const storedNumbers = new Map(Object.entries(maker.row.frozen))
  const versionNumbers = newContents.size === 0 ? storedNumbers : await freezeVersions(maker, newContents)
  return versionNumbers && { own: versionNumbers, brought: overriddenContents }
}

/** Numbers of all contents, by their keys. What requests bring is kept in the transaction of their messages. */
export async function storePushContents(
  tx: Db,
  row: StoredNotification,
  { own: versionNumbers, brought }: PreparedPushContents,
  now: Date,
): Promise<Map<string, number>> {
  const contentNumbers = new Map(versionNumbers)
  for (const [key, content] of brought) contentNumbers.set(key, await freezeContent(tx, row, content, now))
  return contentNumbers
}
