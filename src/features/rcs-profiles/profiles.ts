import { type RawBuilder, sql } from 'kysely'
import { actionFamilies, listFamilyActionTypes } from '../../channels/action-families.ts'
import { type Db, inTransaction, toJsonbText } from '../../database/connection/connect.ts'
import { mapConstraintErrors } from '../../database/errors.ts'
import type { AccountId, LockedObject } from '../../lib/account.ts'
import type { MasterKeys } from '../../lib/crypto/seal.ts'
import { badRequestProblem, conflictProblem, notFoundProblem } from '../../lib/errors/problem.ts'
import type { OutboundPolicy } from '../../lib/net/guarded-client.ts'
import { foldUnicodeCase } from '../../lib/text/fold.ts'
import { parseResourceName } from '../../lib/text/names.ts'
import { readContactSettings } from '../contacts/settings/settings.ts'
import { parseCountryCode } from '../contacts/values/countries.ts'
import { clearPhoneCapabilities } from './capabilities.ts'
import { mergeRcsProvider, type StoredRcsProvider } from './provider.ts'
import type { RcsCapabilitySettings, RcsProfileBody, RcsProfileFallback } from './rcs-profile-schemas.ts'
import { type RcsProfileKey, renewRcsWebhookToken, sealedRcsTokenSql } from './webhook-tokens.ts'

const MAX_NAME_LENGTH = 100

/** Dependencies of changes of profiles, in addition to the database. */
export interface RcsProfileDependencies {
  masterKeys: MasterKeys
  reach: OutboundPolicy
  now: Date
}

/** The settings that clients change. */
interface ProfileSettings {
  name: string
  description: string | null
  agent: string
  active: boolean
  /** ISO 3166-1 alpha-3. */
  country: string
  /** Messages handed over a second; 0: no limit. */
  speed: number
  capability: RcsCapabilitySettings
  fallback: RcsProfileFallback | null
}

/** A profile as it is stored: its secrets are sealed, `openSecrets` opens them. */
export interface StoredRcsProfile extends ProfileSettings, StoredRcsProvider {
  id: number
  account: AccountId
  /** Token of the webhook address, sealed. */
  token: Buffer | null
  createdAt: Date
  updatedAt: Date
}

const profileColumns = sql`p.id, p.account, p.name, p.description, p.agent, p.active, p.country, p.speed,
  jsonb_build_object('check', p.capability_check, 'cacheHours', p.capability_hours) as capability, p.fallback, p.provider,
  p.settings, p.fingerprint, p.credentials, p.client_token as "clientToken", ${sealedRcsTokenSql} as token,
  p.created_at as "createdAt", p.updated_at as "updatedAt"`

async function selectProfiles(
  db: Db,
  account: AccountId,
  conditions: RawBuilder<unknown>,
): Promise<StoredRcsProfile[]> {
  const { rows } = await sql<StoredRcsProfile>`
    select ${profileColumns} from rcs_profiles p where p.account = ${account} ${conditions}`.execute(db)
  return rows
}

function requireFound([row]: readonly StoredRcsProfile[], id: number): StoredRcsProfile {
  if (!row) throw notFoundProblem('RCS profile', id)
  return row
}

/** Profiles by ascending id, all or those that are active or are not. */
export function listRcsProfiles(
  db: Db,
  account: AccountId,
  { after = 0, limit, active }: { after: number | undefined; limit: number | undefined; active: boolean | undefined },
): Promise<StoredRcsProfile[]> {
  const activeCondition = active === undefined ? sql`` : sql`and p.active = ${active}`
  return selectProfiles(
    db,
    account,
    sql`and p.id > ${after} ${activeCondition} order by p.id limit ${limit ?? null}::integer`,
  )
}

/** One profile. Throws notFound, also for one of another account. */
export async function loadRcsProfile(db: Db, account: AccountId, id: number): Promise<StoredRcsProfile> {
  return requireFound(await selectProfiles(db, account, sql`and p.id = ${id}`), id)
}

/** One profile, which cannot be deleted until the transaction ends: for what is about to name it. Throws notFound. */
export async function holdRcsProfile(tx: Db, account: AccountId, id: number): Promise<StoredRcsProfile> {
  return requireFound(await selectProfiles(tx, account, sql`and p.id = ${id} for key share of p`), id)
}

/** Those of these profiles that exist, in one statement: of any accounts. */
export async function findRcsProfiles(db: Db, keys: readonly RcsProfileKey[]): Promise<StoredRcsProfile[]> {
  if (keys.length === 0) return []
  const { rows } = await sql<StoredRcsProfile>`
    select ${profileColumns} from rcs_profiles p
    where (p.account, p.id) in (
      select * from unnest(${keys.map(({ account }) => account)}::integer[], ${keys.map(({ id }) => id)}::integer[]))
    order by p.id`.execute(db)
  return rows
}

/** Every profile of the installation, by account. */
export async function listAllRcsProfiles(db: Db): Promise<StoredRcsProfile[]> {
  const { rows } = await sql<StoredRcsProfile>`
    select ${profileColumns} from rcs_profiles p order by p.account, p.id`.execute(db)
  return rows
}

/** Profiles of an account that send as an agent, compared exactly; active ones first, then the oldest. */
export function listRcsProfilesByAgent(db: Db, account: AccountId, agent: string): Promise<StoredRcsProfile[]> {
  return selectProfiles(db, account, sql`and p.agent = ${agent} order by p.active desc, p.id`)
}

/** Locks a profile until the transaction ends. Throws notFound. */
export async function lockRcsProfile(tx: Db, account: AccountId, id: number): Promise<StoredRcsProfile> {
  await sql`select from rcs_profiles where account = ${account} and id = ${id} for update`.execute(tx)
  // Read after the lock: its token stands in another table.
  return loadRcsProfile(tx, account, id)
}

function parseProfileCountry(countryText: string): string {
  const country = parseCountryCode(countryText)
  if (country === undefined || countryText.trim().length !== 3)
    throw badRequestProblem('/country', 'must be an ISO 3166-1 alpha-3 code of a country, such as FRA')
  return country
}

/** A fallback after a change: a member that is absent is kept. */
function mergeFallback(before: RcsProfileFallback | null, body: RcsProfileBody['fallback']): RcsProfileFallback | null {
  if (body === undefined) return before
  if (body === null) return null
  return { type: body.type, sender: body.sender === undefined ? (before?.sender ?? null) : body.sender }
}

function mergeSettings(before: ProfileSettings, body: RcsProfileBody): ProfileSettings {
  return {
    name: body.name === undefined ? before.name : parseResourceName(body.name, MAX_NAME_LENGTH),
    description: body.description === undefined ? before.description : body.description,
    agent: body.agent ?? before.agent,
    active: body.active ?? before.active,
    country: body.country === undefined ? before.country : parseProfileCountry(body.country),
    speed: body.speed ?? before.speed,
    capability: { ...before.capability, ...body.capability },
    fallback: mergeFallback(before.fallback, body.fallback),
  }
}

/** The columns of what clients set, by name, and their values. */
function toColumnValues(
  { name, description, agent, active, country, speed, capability, fallback }: ProfileSettings,
  { provider, settings, fingerprint, credentials, clientToken }: StoredRcsProvider,
) {
  return {
    name,
    name_folded: foldUnicodeCase(name),
    description,
    agent,
    active,
    country,
    speed,
    provider,
    fingerprint,
    credentials,
    capability_check: capability.check,
    capability_hours: capability.cacheHours,
    fallback: fallback && toJsonbText(fallback),
    settings: toJsonbText(settings),
    client_token: clientToken,
  }
}

function nameConflict(name: string) {
  return { unique: () => conflictProblem('name-taken', `Another RCS profile is called "${name}".`) }
}

async function reserveNextId(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('rcs_profiles', 'id'))::integer as id`.execute(db)
  return rows[0]!.id
}

/** Default settings of a new profile. */
async function buildDefaults(db: Db, account: AccountId): Promise<Omit<ProfileSettings, 'name' | 'agent'>> {
  const { defaultCountry } = await readContactSettings(db, account)
  const capability = { check: true, cacheHours: 24 }
  return { description: null, active: true, country: defaultCountry, speed: 100, capability, fallback: null }
}

/** Creates a profile with a webhook address. Throws 400 with the pointer, conflict `name-taken` (compared without case). */
export async function createRcsProfile(
  db: Db,
  account: AccountId,
  body: RcsProfileBody,
  { masterKeys, reach, now }: RcsProfileDependencies,
): Promise<StoredRcsProfile> {
  const name = parseResourceName(body.name, MAX_NAME_LENGTH)
  if (body.agent === undefined) throw badRequestProblem('/agent', 'is required: the id of the RBM agent')
  if (body.provider === undefined) throw badRequestProblem('/provider', 'is required')
  const settings = mergeSettings({ ...(await buildDefaults(db, account)), name, agent: body.agent }, body)
  const id = await reserveNextId(db)
  const provider = await mergeRcsProvider(undefined, body.provider, { profile: id, masterKeys, reach })
  const row = { id, account, ...toColumnValues(settings, provider), created_at: now, updated_at: now }
  return inTransaction(db, async (tx) => {
    await mapConstraintErrors(tx.insertInto('rcs_profiles').values(row).execute(), nameConflict(name))
    await renewRcsWebhookToken(tx, masterKeys, { account, id }, now)
    return loadRcsProfile(tx, account, id)
  })
}

/** The capabilities of phones were reported for one agent by one provider. */
function isAgentChanged(before: StoredRcsProfile, agent: string, { provider, settings }: StoredRcsProvider): boolean {
  return before.agent !== agent || before.provider !== provider || before.settings.baseUrl !== settings.baseUrl
}

/**
 * Changes the members given of a locked profile; secrets that are absent or null are kept as long as the provider's type is the same. Throws
 * notFound, 400 with the pointer, conflict `name-taken`.
 */
export async function updateRcsProfile(
  tx: Db,
  { account, id, stored: previous }: LockedObject<number, StoredRcsProfile>,
  body: RcsProfileBody,
  { masterKeys, reach, now }: RcsProfileDependencies,
): Promise<StoredRcsProfile> {
  const settings = mergeSettings(previous, body)
  const provider = body.provider
    ? await mergeRcsProvider(previous, body.provider, { profile: id, masterKeys, reach })
    : previous
  const updateQuery = tx
    .updateTable('rcs_profiles')
    .set({ ...toColumnValues(settings, provider), updated_at: now })
    .where('account', '=', account)
    .where('id', '=', id)
  await mapConstraintErrors(updateQuery.execute(), nameConflict(settings.name))
  if (isAgentChanged(previous, settings.agent, provider)) await clearPhoneCapabilities(tx, { account, id })
  return loadRcsProfile(tx, account, id)
}

/** Deletes a locked profile with its webhook addresses. Throws conflict while an action names it. */
export async function deleteRcsProfile(tx: Db, { account, id }: LockedObject<number, StoredRcsProfile>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select name from actions
    where account = ${account} and deleted_at is null and type = any(${listFamilyActionTypes(actionFamilies.rcs)}::text[])
      and settings ->> 'profile' = ${String(id)}
    order by id limit 1`.execute(tx)
  const [usingAction] = rows
  if (usingAction)
    throw conflictProblem(
      'profile-in-use',
      `The action "${usingAction.name}" uses this profile. Choose another profile for it first.`,
    )
  await tx.deleteFrom('rcs_profiles').where('account', '=', account).where('id', '=', id).execute()
}

/** Gives a profile a new webhook address; the one before works 8 days more. Throws notFound. */
export async function renewRcsWebhook(
  db: Db,
  { account, id }: RcsProfileKey,
  { masterKeys, now }: Pick<RcsProfileDependencies, 'masterKeys' | 'now'>,
): Promise<StoredRcsProfile> {
  return inTransaction(db, async (tx) => {
    await lockRcsProfile(tx, account, id)
    await renewRcsWebhookToken(tx, masterKeys, { account, id }, now)
    return loadRcsProfile(tx, account, id)
  })
}
