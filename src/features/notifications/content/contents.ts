import { notification } from '../../../channels/push/facts.ts'
import { contentSourceOf, type VersionSource } from '../../../channels/version-source.ts'
import type { Context } from '../../../context.ts'
import { type Db, inTransaction, json } from '../../../database/connection/connect.ts'
import { type Fault, invalid } from '../../../lib/errors/problem.ts'
import { freezeVersion, type VersionLink } from '../../../sending/plan/content-version.ts'
import type { Overrides } from '../item-schemas.ts'
import type { Version } from '../notification-schemas.ts'
import { lockNotification, type StoredNotification } from '../stored.ts'
import { refuseFaulty, versionFaults } from './checks.ts'
import { type Surroundings, sourceOf } from './drafts.ts'
import { hasOverrides, overridesKey, withOverrides } from './overrides.ts'
import type { PushApplication } from './references.ts'

/** The version that a request is sent with, and what it brings in place of its members. `at`: pointer to the request. */
export interface ChosenContent {
  version: Version
  given: Overrides
  at: string
}

interface Compiled {
  source: VersionSource
  links: readonly VersionLink[]
}

/** Contents of requests, by keyOfContent: those of versions have a number already. */
export interface PreparedContents {
  own: ReadonlyMap<string, number>
  brought: ReadonlyMap<string, Compiled>
}

/** What contents are made with. */
export interface ContentMaker {
  context: Pick<Context, 'db' | 'clock' | 'renders'>
  row: StoredNotification
  surroundings: Surroundings
  application: PushApplication
}

/** One text for a content: requests with the same share it. */
export function keyOfContent({ version, given }: Pick<ChosenContent, 'version' | 'given'>): string {
  return hasOverrides(given) ? `${version.id} ${overridesKey(given)}` : version.id
}

/** Whether nothing that messages depend on has changed. */
export function isUnchanged(before: StoredNotification, row: StoredNotification): boolean {
  const kept = (one: StoredNotification) => ({ ...one, frozen: null, lastRunAt: null, nextRunAt: null })
  return JSON.stringify(kept(before)) === JSON.stringify(kept(row))
}

/** Names of routes and channels, and texts, that a request brings and that cannot be. */
function broughtFaults({ version, given, at }: ChosenContent, application: PushApplication): Fault[] {
  const own = new Set(versionFaults(version, at, application).map(({ pointer, detail }) => `${pointer} ${detail}`))
  return versionFaults(withOverrides(version, given), at, application)
    .filter(({ pointer, detail }) => !own.has(`${pointer} ${detail}`))
    .map(({ pointer, detail }) => ({ pointer: pointer.replace(`${at}/content/`, `${at}/`), detail }))
}

/** Compiles a content. Throws 400 for what the request brings, 409 for what is wrong with the version. */
async function compiled({ context, row, surroundings, application }: ContentMaker, one: ChosenContent) {
  const { version, given, at } = one
  const faults = broughtFaults(one, application)
  if (faults.length > 0) throw invalid(faults)
  const source = sourceOf(surroundings, row, withOverrides(version, given))
  const { errors, links } = await context.renders.compile(contentSourceOf(source))
  const isBrought = (part: string | null) => given[(part ?? '').split('/')[0] as keyof Overrides] != null
  const wrong = errors.filter(({ part }) => isBrought(part))
  if (wrong.length > 0) throw invalid(wrong.map(({ part, message }) => ({ pointer: `${at}/${part}`, detail: message })))
  const place = row.versions.findIndex(({ id }) => id === version.id)
  refuseFaulty(
    row.id,
    errors.map(({ part, message }) => ({ pointer: `/versions/${place}/${part}`, detail: message })),
  )
  return { source, links }
}

function freeze(tx: Db, { account, id }: StoredNotification, content: Compiled, now: Date): Promise<number> {
  return freezeVersion(tx, { account, sourceKind: notification.sourceKind, source: id }, content, now)
}

/** Keeps contents of versions with the notification; undefined when it was changed meanwhile. */
async function freezeOwn(
  { context: { db, clock }, row }: ContentMaker,
  fresh: ReadonlyMap<string, Compiled>,
): Promise<Map<string, number> | undefined> {
  return inTransaction(db, async (tx) => {
    const now = await lockNotification(tx, row)
    if (!isUnchanged(row, now)) return undefined
    const frozen = { ...now.frozen }
    for (const [key, content] of fresh) frozen[key] ??= await freeze(tx, row, content, new Date(clock.now()))
    await tx
      .updateTable('notifications')
      .set({ frozen: json(frozen) })
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
export async function prepareContents(
  maker: ContentMaker,
  chosen: readonly ChosenContent[],
): Promise<PreparedContents | undefined> {
  const distinct = new Map(chosen.map((one) => [keyOfContent(one), one]))
  const brought = new Map<string, Compiled>()
  const fresh = new Map<string, Compiled>()
  for (const [key, one] of distinct) {
    if (hasOverrides(one.given)) brought.set(key, await compiled(maker, one))
    else if (maker.row.frozen[key] === undefined) fresh.set(key, await compiled(maker, one))
  }
  const known = new Map(Object.entries(maker.row.frozen))
  const own = fresh.size === 0 ? known : await freezeOwn(maker, fresh)
  return own && { own, brought }
}

/** Numbers of all contents, by their keys. What requests bring is kept in the transaction of their messages. */
export async function contentNumbers(
  tx: Db,
  row: StoredNotification,
  { own, brought }: PreparedContents,
  now: Date,
): Promise<Map<string, number>> {
  const numbers = new Map(own)
  for (const [key, content] of brought) numbers.set(key, await freeze(tx, row, content, now))
  return numbers
}
