import { sql } from 'kysely'
import { type Db, toJsonbText } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { badRequestProblem } from '../../lib/errors/problem.ts'
import { loadContactDefinitions } from '../contacts/fields/stored-definitions.ts'
import type { PressureSettings, PressureSettingsBody } from './pressure-schemas.ts'

interface StoredPressureSettings {
  timeZoneField?: number | null
  isTopicRequired?: boolean
}

async function loadStoredSettings(db: Db, account: AccountId): Promise<StoredPressureSettings> {
  const { rows } = await sql<{ stored: StoredPressureSettings | null }>`
    select settings -> 'pressure' as stored from accounts where id = ${account}`.execute(db)
  return rows[0]?.stored ?? {}
}

async function mergeStoredSettings(db: Db, account: AccountId, change: StoredPressureSettings): Promise<void> {
  await sql`
    update accounts set settings = jsonb_set(settings, '{pressure}', coalesce(settings -> 'pressure', '{}') || ${toJsonbText(change)}::jsonb)
    where id = ${account}`.execute(db)
}

/** The settings of an account, with defaults. */
export async function readPressureSettings(db: Db, account: AccountId): Promise<PressureSettings> {
  const { timeZoneField = null } = await loadStoredSettings(db, account)
  return { timeZoneField }
}

/** Changes the members given, and gives the whole. Throws 400 for what is no text field of the account. */
export async function updatePressureSettings(
  db: Db,
  account: AccountId,
  { timeZoneField }: PressureSettingsBody,
): Promise<PressureSettings> {
  if (timeZoneField != null) {
    const { fields } = await loadContactDefinitions(db, account)
    const field = fields.find(({ id }) => id === timeZoneField)
    if (!field) throw badRequestProblem('/timeZoneField', `there is no field ${timeZoneField}`)
    if (field.type !== 'textField')
      throw badRequestProblem(
        '/timeZoneField',
        `must be a field of type textField; "${field.name}" is of type ${field.type}`,
      )
  }
  if (timeZoneField !== undefined) await mergeStoredSettings(db, account, { timeZoneField })
  return readPressureSettings(db, account)
}

/** True if marketing messages must name a topic before they are sent in production. */
export async function isTopicRequired(db: Db, account: AccountId): Promise<boolean> {
  return (await loadStoredSettings(db, account)).isTopicRequired ?? false
}

/** Changes it; gives what is stored. Throws 400 for anything but a boolean. */
export async function setTopicRequired(db: Db, account: AccountId, isRequired: unknown): Promise<boolean> {
  if (typeof isRequired !== 'boolean') throw badRequestProblem('', 'must be true or false')
  await mergeStoredSettings(db, account, { isTopicRequired: isRequired })
  return isRequired
}
