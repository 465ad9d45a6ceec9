import { isDeepStrictEqual } from 'node:util'
import { type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction, toJsonbText } from '../../database/connection/connect.ts'
import { mapConstraintErrors } from '../../database/errors.ts'
import { inRetriedTransaction } from '../../database/locks/deadlocks.ts'
import type { AccountId, LockedObject } from '../../lib/account.ts'
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

const MAX_NAME_LENGTH = 100

/** Dependencies of changes of applications, in addition to the database. */
export interface ApplicationDependencies {
  masterKeys: MasterKeys
  reach: OutboundPolicy
  now: Date
}

/** The settings that clients change. */
interface ApplicationSettings {
  name: string
  description: string | null
  icon: string | null
  routes: ApplicationNamedValue[] | null
  channels: ApplicationNamedValue[] | null
  registration: StoredDeviceRegistration
  providers: StoredPushProvider[]
}

/** An application as it is stored: secrets of its providers are sealed, `openSecrets` opens them. */
export interface StoredApplication extends ApplicationSettings {
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

type ApplicationRow = Omit<StoredApplication, 'providers' | 'registration'> & StoredDeviceRegistration
type ProviderRow = StoredPushProvider & { application: string }

/** Providers of these applications, in one statement. */
async function loadProviders(
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
  for (const { application, ...storedProvider } of rows)
    byApplication.set(application, [...(byApplication.get(application) ?? []), storedProvider])
  return byApplication
}

async function selectApplications(
  db: Db,
  account: AccountId,
  conditions: RawBuilder<unknown>,
): Promise<StoredApplication[]> {
  const { rows } = await sql<ApplicationRow>`
    select a.id, a.name, a.description, a.active, a.icon, a.routes, a.channels,
      a.registration_open as open, a.registration_identifiers as identifiers, a.registration_proof as proof,
      a.registration_secret as secret,
      a.created_at as "createdAt", a.updated_at as "updatedAt"
    from applications a where a.account = ${account} ${conditions}`.execute(db)
  const applicationIds = rows.map(({ id }) => id)
  const providers =
    applicationIds.length === 0
      ? new Map<string, StoredPushProvider[]>()
      : await loadProviders(db, account, applicationIds)
  return rows.map(({ open: isOpen, identifiers, proof, secret, ...row }) => {
    return {
      ...row,
      registration: { open: isOpen, identifiers, proof, secret },
      providers: providers.get(row.id) ?? [],
    }
  })
}

function requireFound([application]: readonly StoredApplication[], id: string): StoredApplication {
  if (!application) throw notFoundProblem('application', id)
  return application
}

/** Applications in the order of their creation. */
export function listApplications(
  db: Db,
  account: AccountId,
  { after, limit }: { after: string | undefined; limit: number | undefined },
): Promise<StoredApplication[]> {
  const pageCondition = after === undefined ? sql`` : sql`and a.id > ${after}::uuid`
  // Ids begin with the time they were made at.
  return selectApplications(db, account, sql`${pageCondition} order by a.id limit ${limit ?? null}::integer`)
}

/** One application. Throws notFound, also for one of another account. */
export async function loadApplication(db: Db, { account, id }: ApplicationKey): Promise<StoredApplication> {
  return requireFound(await selectApplications(db, account, sql`and a.id = ${id}`), id)
}

/** Locks an application until the transaction ends. Throws notFound. */
export async function lockApplication(tx: Db, { account, id }: ApplicationKey): Promise<StoredApplication> {
  return requireFound(await selectApplications(tx, account, sql`and a.id = ${id} for update of a`), id)
}

function parseIcon(iconUrl: string | null): string | null {
  if (iconUrl !== null && URL.parse(iconUrl)?.protocol !== 'https:')
    throw badRequestProblem('/icon', 'must be an https address')
  return iconUrl
}

/** Parses routes or channels of a request; `list`: their name. Throws 400 for a duplicate name or a second default. */
function parseNamedValues(
  requestedValues: readonly ApplicationValueBody[] | null,
  list: 'routes' | 'channels',
): ApplicationNamedValue[] | null {
  if (requestedValues === null) return null
  const seenNames = new Set<string>()
  const values = requestedValues.map(({ name, value, default: isDefault = false }, index) => {
    if (seenNames.has(name)) throw badRequestProblem(`/${list}/${index}/name`, `"${name}" is listed twice`)
    seenNames.add(name)
    return { name, value: { type: value.type, value: value.value }, default: isDefault }
  })
  const secondDefault = values.findIndex(
    (candidate, index) => candidate.default && values.findIndex((earlier) => earlier.default) < index,
  )
  if (secondDefault >= 0)
    throw badRequestProblem(`/${list}/${secondDefault}/default`, 'only one entry of the list can be the default')
  return values
}

const initialSettings = { description: null, icon: null, routes: null, channels: null, providers: [] }

async function mergeSettings(
  before: ApplicationSettings | undefined,
  body: ApplicationBody,
  change: ApplicationDependencies & { application: string },
): Promise<ApplicationSettings> {
  const currentSettings = before ?? { ...initialSettings, registration: createDeviceRegistration() }
  return {
    name: before && body.name === undefined ? before.name : parseResourceName(body.name, MAX_NAME_LENGTH),
    description: body.description === undefined ? currentSettings.description : body.description,
    icon: body.icon === undefined ? currentSettings.icon : parseIcon(body.icon),
    routes: body.routes === undefined ? currentSettings.routes : parseNamedValues(body.routes, 'routes'),
    channels: body.channels === undefined ? currentSettings.channels : parseNamedValues(body.channels, 'channels'),
    registration: mergeDeviceRegistration(currentSettings.registration, body.registration ?? {}, change),
    providers:
      body.providers === undefined
        ? currentSettings.providers
        : await mergePushProviders(currentSettings.providers, body.providers, change),
  }
}

/** The columns of what clients set, by name, and their values. */
function toColumnValues({ name, description, icon, routes, channels, registration }: ApplicationSettings) {
  return {
    name,
    name_folded: foldUnicodeCase(name),
    description,
    icon,
    routes: routes && toJsonbText(routes),
    channels: channels && toJsonbText(channels),
    registration_open: registration.open,
    registration_proof: registration.proof,
    registration_secret: registration.secret,
    registration_identifiers: deviceIdentifierTypes.filter((type) => registration.identifiers.includes(type)),
  }
}

function nameConflict(name: string) {
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
function listChangedProviders(before: ApplicationSettings, { providers }: ApplicationSettings): string[] {
  return before.providers
    .filter(({ type, settings, secret }) => {
      const now = providers.find((previousProvider) => previousProvider.type === type)
      return !now || now.secret !== secret || !isDeepStrictEqual(now.settings, settings)
    })
    .map(({ type }) => type)
}

/** A stored application with the secrets that were made, which this answer alone shows. */
function withCreatedSecrets(
  storedApplication: StoredApplication,
  { providers, registration }: ApplicationSettings,
): StoredApplication {
  const createdSecrets = new Map(providers.map(({ type, made }) => [type, made]))
  return {
    ...storedApplication,
    providers: storedApplication.providers.map((provider) => {
      const createdSecret = createdSecrets.get(provider.type)
      return createdSecret === undefined ? provider : { ...provider, made: createdSecret }
    }),
    registration: {
      ...storedApplication.registration,
      ...(registration.made !== undefined && { made: registration.made }),
    },
  }
}

/** The application as it is shown in later answers. */
export function withoutCreatedSecrets({
  providers,
  registration,
  ...application
}: StoredApplication): StoredApplication {
  const { made: _, ...laterRegistration } = registration
  const laterProviders = providers.map(({ made: _secret, ...provider }): StoredPushProvider => provider)
  return { ...application, providers: laterProviders, registration: laterRegistration }
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
  const settings = await mergeSettings(undefined, body, { ...dependencies, application: id })
  const row = { id, account, ...toColumnValues(settings), created_at: now, updated_at: now }
  return inTransaction(db, async (tx) => {
    await mapConstraintErrors(tx.insertInto('applications').values(row).execute(), nameConflict(settings.name))
    await storeProviders(tx, { account, id }, settings.providers)
    return withCreatedSecrets(await loadApplication(tx, { account, id }), settings)
  })
}

/**
 * Changes the members given of a locked application; lists are replaced. An active application stays active: throws conflict
 * `application-incomplete` when it could not be activated any more, `application-linked` when a route or a channel goes that an
 * active notification names. Throws 400 with the pointer, `name-taken`.
 */
export async function updateApplication(
  tx: Db,
  { account, id, stored: previous }: LockedObject<string, StoredApplication>,
  body: ApplicationBody,
  dependencies: ApplicationDependencies,
): Promise<StoredApplication> {
  const { now } = dependencies
  const settings = await mergeSettings(previous, body, { ...dependencies, application: id })
  if (previous.active) {
    assertApplicationComplete(settings, now)
    await assertNamedValuesUnused(tx, { account, id }, previous, settings)
  }
  const updateQuery = tx
    .updateTable('applications')
    .set({ ...toColumnValues(settings), updated_at: now })
    .where('account', '=', account)
    .where('id', '=', id)
  await mapConstraintErrors(updateQuery.execute(), nameConflict(settings.name))
  if (body.providers !== undefined) {
    await storeProviders(tx, { account, id }, settings.providers)
    // What was refused were others.
    const changedProviders = listChangedProviders(previous, settings)
    await endRefusalSuspensions(tx, { account, application: id, providers: changedProviders }, now)
  }
  return withCreatedSecrets(await loadApplication(tx, { account, id }), settings)
}

/** Deletes a locked, inactive application with its subscriptions. Throws conflict `application-active`, `application-linked`. */
export async function deleteApplication(
  tx: Db,
  { account, id, stored }: LockedObject<string, StoredApplication>,
): Promise<void> {
  if (stored.active) throw conflictProblem('application-active', 'The application is active. Deactivate it first.')
  const links = await findApplicationLinks(tx, account, id)
  const linkNames = links.map((link) => `${link.type} ${link.id} (${link.name})`).join(', ')
  if (links.length > 0)
    throw conflictProblem('application-linked', `The application is used by ${linkNames}.`, { links })
  await deleteAppSubscriptions(tx, account, id)
  await tx.deleteFrom('applications').where('account', '=', account).where('id', '=', id).execute()
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
    const previous = await lockApplication(tx, { account, id })
    const isResumed = active && (await endProviderSuspensions(tx, account, id, now))
    if (previous.active === active && !isResumed)
      throw conflictProblem(
        `application-${active ? '' : 'in'}active`,
        `The application is already ${active ? '' : 'in'}active.`,
      )
    if (active) assertApplicationComplete(previous, now)
    await tx
      .updateTable('applications')
      .set({ active, updated_at: now, ...(isResumed && { rests_ended_at: now }) })
      .where('account', '=', account)
      .where('id', '=', id)
      .execute()
  })
}
