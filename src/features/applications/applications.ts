import { isDeepStrictEqual } from 'node:util'
import { type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction, toJsonbText } from '../../database/connection/connect.ts'
import { mapConstraintErrors } from '../../database/errors.ts'
import { inRetriedTransaction } from '../../database/locks/deadlocks.ts'
import type { AccountId } from '../../lib/account.ts'
import type { MasterKeys } from '../../lib/crypto/seal.ts'
import { badRequestProblem, conflictProblem, notFoundProblem } from '../../lib/errors/problem.ts'
import { createUuidV7 } from '../../lib/ids.ts'
import type { OutboundPolicy } from '../../lib/net/guarded-client.ts'
import { foldUnicodeCase } from '../../lib/text/fold.ts'
import { parseResourceName } from '../../lib/text/names.ts'
import { endProviderSuspensions, endRefusalSuspensions } from '../subscriptions/providers/push-rests.ts'
import { deleteAppSubscriptions } from '../subscriptions/removal.ts'
import { assertApplicationComplete } from './activation-checks.ts'
import {
  type ApplicationBody,
  type ApplicationNamedValue,
  type ApplicationValueBody,
  deviceIdentifierTypes,
} from './application-schemas.ts'
import { mergePushProviders, type StoredPushProvider } from './providers.ts'
import { createDeviceRegistration, mergeDeviceRegistration, type StoredDeviceRegistration } from './registrations.ts'
import { assertNamedValuesUnused, findApplicationLinks } from './usage.ts'

const NAME_LENGTH = 100

/** Dependencies of changes of applications, beside the database. */
export interface ApplicationDependencies {
  masterKeys: MasterKeys
  reach: OutboundPolicy
  now: Date
}

/** What clients set. */
interface Settings {
  name: string
  description: string | null
  icon: string | null
  routes: ApplicationNamedValue[] | null
  channels: ApplicationNamedValue[] | null
  registration: StoredDeviceRegistration
  providers: StoredPushProvider[]
}

/** An application as it is stored: secrets of its providers are sealed, `openSecrets` opens them. */
export interface StoredApplication extends Settings {
  id: string
  active: boolean
  createdAt: Date
  updatedAt: Date
}

/** An application, named by its account and its id there. */
export interface ApplicationKey {
  account: AccountId
  id: string
}

type Row = Omit<StoredApplication, 'providers' | 'registration'> & StoredDeviceRegistration
type ProviderRow = StoredPushProvider & { application: string }

/** Providers of these applications, in one statement. */
async function providersOf(
  db: Db,
  account: AccountId,
  ids: readonly string[],
): Promise<Map<string, StoredPushProvider[]>> {
  const { rows } = await sql<ProviderRow>`
    select p.application, p.type, p.settings, p.secret, p.fingerprint, p.expires_at as "expiresAt", r.rested_at as "restedAt",
      d.rests as "refusedRests", d.rests_until as "refusedUntil"
    from application_providers p left join push_rests r on r.application = p.application and r.provider = p.type
    left join push_refusals d on d.application = p.application and d.provider = p.type
    where p.account = ${account} and p.application = any(${ids}::uuid[]) order by p.application, p.position`.execute(db)
  const byApplication = new Map<string, StoredPushProvider[]>()
  for (const { application, ...provider } of rows)
    byApplication.set(application, [...(byApplication.get(application) ?? []), provider])
  return byApplication
}

async function select(db: Db, account: AccountId, rest: RawBuilder<unknown>): Promise<StoredApplication[]> {
  const { rows } = await sql<Row>`
    select a.id, a.name, a.description, a.active, a.icon, a.routes, a.channels,
      a.registration_open as open, a.registration_identifiers as identifiers, a.registration_proof as proof,
      a.registration_secret as secret,
      a.created_at as "createdAt", a.updated_at as "updatedAt"
    from applications a where a.account = ${account} ${rest}`.execute(db)
  const ids = rows.map(({ id }) => id)
  const providers = ids.length === 0 ? new Map<string, StoredPushProvider[]>() : await providersOf(db, account, ids)
  return rows.map(({ open, identifiers, proof, secret, ...row }) => {
    return { ...row, registration: { open, identifiers, proof, secret }, providers: providers.get(row.id) ?? [] }
  })
}

function found([application]: readonly StoredApplication[], id: string): StoredApplication {
  if (!application) throw notFoundProblem('application', id)
  return application
}

/** Applications in the order of their creation. */
export function listApplications(
  db: Db,
  account: AccountId,
  { after, limit }: { after: string | undefined; limit: number | undefined },
): Promise<StoredApplication[]> {
  const beyond = after === undefined ? sql`` : sql`and a.id > ${after}::uuid`
  // Ids begin with the time they were made at.
  return select(db, account, sql`${beyond} order by a.id limit ${limit ?? null}::integer`)
}

/** One application. Throws notFound, also for one of another account. */
export async function loadApplication(db: Db, { account, id }: ApplicationKey): Promise<StoredApplication> {
  return found(await select(db, account, sql`and a.id = ${id}`), id)
}

/** Locks an application until the transaction ends. Throws notFound. */
export async function lockApplication(tx: Db, { account, id }: ApplicationKey): Promise<StoredApplication> {
  return found(await select(tx, account, sql`and a.id = ${id} for update of a`), id)
}

function readIcon(given: string | null): string | null {
  if (given !== null && URL.parse(given)?.protocol !== 'https:')
    throw badRequestProblem('/icon', 'must be an https address')
  return given
}

/** Routes or channels of a request; `list`: their name. Throws 400 for a name or a default that stands there twice. */
function readValues(
  given: readonly ApplicationValueBody[] | null,
  list: 'routes' | 'channels',
): ApplicationNamedValue[] | null {
  if (given === null) return null
  const names = new Set<string>()
  const values = given.map(({ name, value, default: isDefault = false }, index) => {
    if (names.has(name)) throw badRequestProblem(`/${list}/${index}/name`, `"${name}" stands there twice`)
    names.add(name)
    return { name, value: { type: value.type, value: value.value }, default: isDefault }
  })
  const second = values.findIndex((one, index) => one.default && values.findIndex((other) => other.default) < index)
  if (second >= 0) throw badRequestProblem(`/${list}/${second}/default`, 'only one of the list can be the default')
  return values
}

const untouched = { description: null, icon: null, routes: null, channels: null, providers: [] }

async function changed(
  before: Settings | undefined,
  body: ApplicationBody,
  change: ApplicationDependencies & { application: string },
): Promise<Settings> {
  const current = before ?? { ...untouched, registration: createDeviceRegistration() }
  return {
    name: before && body.name === undefined ? before.name : parseResourceName(body.name, NAME_LENGTH),
    description: body.description === undefined ? current.description : body.description,
    icon: body.icon === undefined ? current.icon : readIcon(body.icon),
    routes: body.routes === undefined ? current.routes : readValues(body.routes, 'routes'),
    channels: body.channels === undefined ? current.channels : readValues(body.channels, 'channels'),
    registration: mergeDeviceRegistration(current.registration, body.registration ?? {}, change),
    providers:
      body.providers === undefined
        ? current.providers
        : await mergePushProviders(current.providers, body.providers, change),
  }
}

/** The columns of what clients set, by name, and their values. */
function valuesOf({ name, description, icon, routes, channels, registration }: Settings) {
  return {
    ...{ name, name_folded: foldUnicodeCase(name), description, icon },
    routes: routes && toJsonbText(routes),
    channels: channels && toJsonbText(channels),
    registration_open: registration.open,
    registration_proof: registration.proof,
    registration_secret: registration.secret,
    registration_identifiers: deviceIdentifierTypes.filter((type) => registration.identifiers.includes(type)),
  }
}

function nameTaken(name: string) {
  return { unique: () => conflictProblem('name-taken', `Another application is called "${name}".`) }
}

async function storeProviders(
  tx: Db,
  { account, id }: ApplicationKey,
  providers: readonly StoredPushProvider[],
): Promise<void> {
  await tx.deleteFrom('application_providers').where('account', '=', account).where('application', '=', id).execute()
  if (providers.length === 0) return
  const rows = providers.map(({ type, settings, secret, fingerprint, expiresAt }, position) => {
    return {
      account,
      application: id,
      type,
      position,
      settings: toJsonbText(settings),
      secret,
      fingerprint,
      expires_at: expiresAt,
    }
  })
  await tx.insertInto('application_providers').values(rows).execute()
}

/** Types of the providers whose settings or secret are others than before, or that are not there any more. */
function differing(before: Settings, { providers }: Settings): string[] {
  return before.providers
    .filter(({ type, settings, secret }) => {
      const now = providers.find((one) => one.type === type)
      return !now || now.secret !== secret || !isDeepStrictEqual(now.settings, settings)
    })
    .map(({ type }) => type)
}

/** A secret that was made is shown in this answer only. */
function withMade(stored: StoredApplication, { providers, registration }: Settings): StoredApplication {
  return { ...stored, providers, registration }
}

/** Creates an inactive application. Throws 400 with the pointer, conflict `name-taken` (compared without case). */
export async function createApplication(
  db: Db,
  account: AccountId,
  body: ApplicationBody,
  dependencies: ApplicationDependencies,
): Promise<StoredApplication> {
  const { now } = dependencies
  const id = createUuidV7(now.getTime())
  const settings = await changed(undefined, body, { ...dependencies, application: id })
  const row = { id, account, ...valuesOf(settings), created_at: now, updated_at: now }
  return inTransaction(db, async (tx) => {
    await mapConstraintErrors(tx.insertInto('applications').values(row).execute(), nameTaken(settings.name))
    await storeProviders(tx, { account, id }, settings.providers)
    return withMade(await loadApplication(tx, { account, id }), settings)
  })
}

/**
 * Changes the members given; lists are replaced. An active application stays active: throws conflict
 * `application-incomplete` when it could not be activated any more, `application-linked` when a route or a channel goes that an
 * active notification names. Throws notFound, 400 with the pointer, `name-taken`.
 */
export function updateApplication(
  db: Db,
  { account, id }: ApplicationKey,
  body: ApplicationBody,
  dependencies: ApplicationDependencies,
): Promise<StoredApplication> {
  const { now } = dependencies
  return inTransaction(db, async (tx) => {
    const before = await lockApplication(tx, { account, id })
    const settings = await changed(before, body, { ...dependencies, application: id })
    if (before.active) {
      assertApplicationComplete(settings, now)
      await assertNamedValuesUnused(tx, { account, id }, before, settings)
    }
    const change = tx
      .updateTable('applications')
      .set({ ...valuesOf(settings), updated_at: now })
      .where('account', '=', account)
      .where('id', '=', id)
    await mapConstraintErrors(change.execute(), nameTaken(settings.name))
    if (body.providers !== undefined) {
      await storeProviders(tx, { account, id }, settings.providers)
      // What was refused were others.
      await endRefusalSuspensions(tx, { account, application: id, providers: differing(before, settings) }, now)
    }
    return withMade(await loadApplication(tx, { account, id }), settings)
  })
}

/** Deletes an inactive application with its subscriptions. Throws notFound, conflict `application-active`, `application-linked`. */
export function deleteApplication(db: Db, { account, id }: ApplicationKey): Promise<void> {
  return inTransaction(db, async (tx) => {
    const { active } = await lockApplication(tx, { account, id })
    if (active) throw conflictProblem('application-active', 'The application is active: deactivate it first.')
    const links = await findApplicationLinks(tx, account, id)
    const named = links.map((link) => `${link.type} ${link.id} (${link.name})`).join(', ')
    if (links.length > 0) throw conflictProblem('application-linked', `The application is used by ${named}.`, { links })
    await deleteAppSubscriptions(tx, account, id)
    await tx.deleteFrom('applications').where('account', '=', account).where('id', '=', id).execute()
  })
}

/**
 * Activates an application, or deactivates it. Providers that rest are used again then, and such an application may be
 * activated that is active. Throws notFound, and conflict when it is so already or a check fails.
 */
export function setApplicationActive(
  db: Db,
  { account, id }: ApplicationKey,
  active: boolean,
  now: Date,
): Promise<void> {
  return inRetriedTransaction(db, async (tx) => {
    const before = await lockApplication(tx, { account, id })
    const isResumed = active && (await endProviderSuspensions(tx, account, id, now))
    if (before.active === active && !isResumed)
      throw conflictProblem(
        `application-${active ? '' : 'in'}active`,
        `The application is ${active ? '' : 'in'}active already.`,
      )
    if (active) assertApplicationComplete(before, now)
    await tx
      .updateTable('applications')
      .set({ active, updated_at: now, ...(isResumed && { rests_ended_at: now }) })
      .where('account', '=', account)
      .where('id', '=', id)
      .execute()
  })
}
