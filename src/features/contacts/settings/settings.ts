import { sql } from 'kysely'
import { type Db, inTransaction, toJsonbText } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { invalidRequestProblem, type ProblemFault } from '../../../lib/errors/problem.ts'
import { parseTimeZone } from '../../../lib/time/zones.ts'
import { toContactSettings, toStoredContactSettings } from '../fields/contact-settings.ts'
import type { ContactSettings } from '../fields/contact-settings-schemas.ts'
import { parseCountryCode } from '../values/countries.ts'
import type { ContactSettingsBody } from './settings-schemas.ts'

/** The settings that say how values of an account's contacts are read, and how long things about them are kept. */
export async function readContactSettings(db: Db, account: AccountId): Promise<ContactSettings> {
  const { rows } = await sql<{ stored: Partial<ContactSettings> | null }>`
    select settings->'contacts' as stored from accounts where id = ${account}`.execute(db)
  return toContactSettings(rows[0]?.stored ?? null)
}

/** Settings with a country and a zone in the spelling of their standards. Throws 400 for unknown ones. */
function normalizeSettings(settings: ContactSettings): ContactSettings {
  const defaultCountry = parseCountryCode(settings.defaultCountry)
  const timeZone = parseTimeZone(settings.timeZone)
  const faults: ProblemFault[] = []
  if (defaultCountry === undefined) {
    faults.push({ pointer: '/defaultCountry', detail: 'must be an ISO 3166 country code such as FRA' })
  }
  if (timeZone === undefined)
    faults.push({ pointer: '/timeZone', detail: 'must be an IANA time zone such as Europe/Paris' })
  if (defaultCountry === undefined || timeZone === undefined) throw invalidRequestProblem(faults)
  return { ...settings, defaultCountry, timeZone }
}

/** Members that are no settings are ignored, as everywhere. */
function mergeSettings(present: ContactSettings, body: ContactSettingsBody): ContactSettings {
  const { softBounce } = present
  return {
    defaultCountry: body.defaultCountry ?? present.defaultCountry,
    timeZone: body.timeZone ?? present.timeZone,
    dateOrder: body.dateOrder ?? present.dateOrder,
    decimalMark: body.decimalMark ?? present.decimalMark,
    softBounce: {
      count: body.softBounce?.count ?? softBounce.count,
      days: body.softBounce?.days ?? softBounce.days,
    },
    forgetRedListOnDelete: body.forgetRedListOnDelete ?? present.forgetRedListOnDelete,
    importMaxBytes: body.importMaxBytes ?? present.importMaxBytes,
    sourceRetentionDays: body.sourceRetentionDays ?? present.sourceRetentionDays,
    rejectsRetentionDays: body.rejectsRetentionDays ?? present.rejectsRetentionDays,
  }
}

/** Blocks other changes of an account's settings until the transaction ends. */
export async function lockContactSettings(tx: Db, account: AccountId): Promise<void> {
  await sql`select from accounts where id = ${account} for no key update`.execute(tx)
}

/** Changes the members given, those of `softBounce` too, and gives the whole. Throws 400. */
export function updateContactSettings(db: Db, account: AccountId, body: ContactSettingsBody): Promise<ContactSettings> {
  return inTransaction(db, async (tx) => {
    await lockContactSettings(tx, account)
    const storedSettings = await readContactSettings(tx, account)
    const newSettings = normalizeSettings(mergeSettings(storedSettings, body))
    await sql`
      update accounts set settings = jsonb_set(settings, '{contacts}', ${toJsonbText(toStoredContactSettings(newSettings))}::jsonb)
      where id = ${account}`.execute(tx)
    return newSettings
  })
}
