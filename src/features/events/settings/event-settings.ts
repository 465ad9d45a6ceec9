import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { type Db, toJsonbText } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { EVENT_RETENTION_MONTHS } from '../retention.ts'

const settingMembers = {
  ip: Type.Enum(['full', 'truncated', 'none'], {
    description:
      'Stored part of the IP address of a hit. `truncated`: the network. `none`: nothing. Default: `truncated`.',
  }),
  retentionMonths: Type.Integer({
    minimum: 1,
    maximum: 120,
    description:
      'Months for which events are retained; older events are hidden immediately and erased nightly. Default: 25.',
  }),
  stopWords: Type.Array(Type.String({ minLength: 1, maxLength: 40 }), {
    maxItems: 100,
    description: 'Words of an inbound SMS that stop further messages, in addition to the built-in words.',
  }),
  displayIdentity: Type.Enum(['none', 'consent', 'always'], {
    description:
      'When the cookie of display contents identifies the contact. `consent`: only with consent. Default: `none`.',
  }),
}

/** Event settings of an account (`/settings/events`). */
export const EventSettings = Type.Object(settingMembers)
export type EventSettings = Static<typeof EventSettings>

/** A member that is absent keeps its value. */
export const EventSettingsBody = Type.Partial(EventSettings)
export type EventSettingsBody = Static<typeof EventSettingsBody>

const defaultSettings: EventSettings = {
  ip: 'truncated',
  retentionMonths: EVENT_RETENTION_MONTHS,
  stopWords: [],
  displayIdentity: 'none',
}

/** The settings of an account, with defaults. */
export async function readEventSettings(db: Db, account: AccountId): Promise<EventSettings> {
  const { rows } = await sql<{ stored: Partial<EventSettings> | null }>`
    select settings -> 'events' as stored from accounts where id = ${account}`.execute(db)
  return { ...defaultSettings, ...rows[0]?.stored }
}

/** Returns the stop words of accounts, in addition to the built-in ones; accounts without any may be missing. */
export async function readStopWords(db: Db, accounts: readonly AccountId[]): Promise<Map<AccountId, string[]>> {
  const { rows } = await sql<{ id: AccountId; words: string[] }>`
    select id, settings #> '{events,stopWords}' as words from accounts
    where id = any(${[...new Set(accounts)]}::integer[]) and settings #> '{events,stopWords}' is not null`.execute(db)
  return new Map(rows.map(({ id, words }) => [id, words]))
}

/** Changes the members given, and gives the whole. */
export async function updateEventSettings(db: Db, account: AccountId, body: EventSettingsBody): Promise<EventSettings> {
  const { ip, retentionMonths, stopWords, displayIdentity } = body
  const settingsChange = toJsonbText({ ip, retentionMonths, stopWords, displayIdentity })
  await sql`
    update accounts set settings = jsonb_set(settings, '{events}', coalesce(settings -> 'events', '{}') || ${settingsChange}::jsonb)
    where id = ${account}`.execute(db)
  return readEventSettings(db, account)
}
