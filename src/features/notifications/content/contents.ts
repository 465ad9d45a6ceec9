import { pushChannelTraits } from '../../../channels/push/facts.ts'
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

interface Compiled {
  source: ContentVersionSource
  links: readonly ContentVersionLink[]
}

/** Contents of requests, by buildPushContentKey: those of versions have a number already. */
export interface PreparedPushContents {
  own: ReadonlyMap<string, number>
  brought: ReadonlyMap<string, Compiled>
}

/** What contents are made with. */
export interface PushContentContext {
  context: Pick<ServiceContext, 'db' | 'clock' | 'renders'>
  row: StoredNotification
  surroundings: PushSourceContext
  application: PushApplication
}

/** One text for a content: requests with the same share it. */
export function buildPushContentKey({ version, given }: Pick<ChosenPushContent, 'version' | 'given'>): string {
  return hasPushOverrides(given) ? `${version.id} ${buildPushOverridesKey(given)}` : version.id
}

/** Whether nothing that messages depend on has changed. */
export function isNotificationUnchanged(before: StoredNotification, row: StoredNotification): boolean {
  const kept = (one: StoredNotification) => ({ ...one, frozen: null, lastRunAt: null, nextRunAt: null })
  return JSON.stringify(kept(before)) === JSON.stringify(kept(row))
}

/** Names of routes and channels, and texts, that a request brings and that cannot be. */
function broughtFaults({ version, given, at }: ChosenPushContent, application: PushApplication): ProblemFault[] {
  const own = new Set(
    findPushVersionFaults(version, at, application).map(({ pointer, detail }) => `${pointer} ${detail}`),
  )
  return findPushVersionFaults(applyPushOverrides(version, given), at, application)
    .filter(({ pointer, detail }) => !own.has(`${pointer} ${detail}`))
    .map(({ pointer, detail }) => ({ pointer: pointer.replace(`${at}/content/`, `${at}/`), detail }))
}

/** Compiles a content. Throws 400 for what the request brings, 409 for what is wrong with the version. */
async function compiled({ context, row, surroundings, application }: PushContentContext, one: ChosenPushContent) {
  const { version, given, at } = one
  const faults = broughtFaults(one, application)
  if (faults.length > 0) throw invalidRequestProblem(faults)
  const source = buildPushSource(surroundings, row, applyPushOverrides(version, given))
  const { errors, links } = await context.renders.compile(toContentSource(source))
  const isBrought = (part: string | null) => given[(part ?? '').split('/')[0] as keyof PushOverrides] != null
  const wrong = errors.filter(({ part }) => isBrought(part))
  if (wrong.length > 0)
    throw invalidRequestProblem(wrong.map(({ part, message }) => ({ pointer: `${at}/${part}`, detail: message })))
  const place = row.versions.findIndex(({ id }) => id === version.id)
  requireActivatable(
    row.id,
    errors.map(({ part, message }) => ({ pointer: `/versions/${place}/${part}`, detail: message })),
  )
  return { source, links }
}

function freeze(tx: Db, { account, id }: StoredNotification, content: Compiled, now: Date): Promise<number> {
  return storeContentVersion(tx, { account, sourceKind: pushChannelTraits.sourceKind, source: id }, content, now)
}

/** Keeps contents of versions with the notification; undefined when it was changed meanwhile. */
async function freezeOwn(
  { context: { db, clock }, row }: PushContentContext,
  fresh: ReadonlyMap<string, Compiled>,
): Promise<Map<string, number> | undefined> {
  return inTransaction(db, async (tx) => {
    const now = await lockNotification(tx, row)
    if (!isNotificationUnchanged(row, now)) return undefined
    const frozen = { ...now.frozen }
    for (const [key, content] of fresh) frozen[key] ??= await freeze(tx, row, content, new Date(clock.now()))
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
  chosen: readonly ChosenPushContent[],
): Promise<PreparedPushContents | undefined> {
  const distinct = new Map(chosen.map((one) => [buildPushContentKey(one), one]))
  const brought = new Map<string, Compiled>()
  const fresh = new Map<string, Compiled>()
  for (const [key, one] of distinct) {
    if (hasPushOverrides(one.given)) brought.set(key, await compiled(maker, one))
    else if (maker.row.frozen[key] === undefined) fresh.set(key, await compiled(maker, one))
  }
  const known = new Map(Object.entries(maker.row.frozen))
  const own = fresh.size === 0 ? known : await freezeOwn(maker, fresh)
  return own && { own, brought }
}

/** Numbers of all contents, by their keys. What requests bring is kept in the transaction of their messages. */
export async function storePushContents(
  tx: Db,
  row: StoredNotification,
  { own, brought }: PreparedPushContents,
  now: Date,
): Promise<Map<string, number>> {
  const numbers = new Map(own)
  for (const [key, content] of brought) numbers.set(key, await freeze(tx, row, content, now))
  return numbers
}
