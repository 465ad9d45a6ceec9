import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { toContactSettings } from '../../contacts/fields/contact-settings.ts'
import type { ContactSettings } from '../../contacts/fields/contact-settings-schemas.ts'
import type { PressurePredicate } from '../pressure-schemas.ts'
import type { IndexedPressureRule } from './decision.ts'

/** The data that decisions about messages of an account depend on. */
export interface AccountPressureRules {
  /** Those that are active, by creation. */
  rules: readonly IndexedPressureRule[]
  /** Numbers of topics, by id. */
  topics: ReadonlyMap<string, number>
  /** Field that holds the zone of a contact. */
  timeZoneField: number | null
  /** Zone of the account. */
  timeZone: string
}

interface RuleSetRow {
  account: AccountId
  contacts: Partial<ContactSettings> | null
  field: number | null
  rules: { id: string; label: string; predicate: PressurePredicate }[]
  topics: Record<string, number>
}

/** A rule as it is asked, its topics by number. */
export function indexPressureRule(
  { id, label, predicate }: { id: string; label: string; predicate: PressurePredicate },
  topics: ReadonlyMap<string, number>,
): IndexedPressureRule {
  const limits = predicate.expressions.map((limit) => ({
    limit,
    topics: new Set(limit.topics.flatMap((topic) => topics.get(topic) ?? [])),
  }))
  return { id, label, type: predicate.type, limits }
}

/** The rules of accounts as they are now. */
export async function loadPressureRules(
  db: Db,
  accounts: readonly AccountId[],
): Promise<Map<AccountId, AccountPressureRules>> {
  const { rows } = await sql<RuleSetRow>`
    select a.id as account, a.settings -> 'contacts' as contacts,
      (a.settings #>> '{pressure,timeZoneField}')::integer as field,
      coalesce((
        select jsonb_agg(jsonb_build_object('id', r.id, 'label', r.label, 'predicate', r.predicate) order by r.id)
        from pressure_rules r where r.account = a.id and r.active), '[]') as rules,
      coalesce((
        select jsonb_object_agg(t.id, t.number) from pressure_topics t where t.account = a.id), '{}') as topics
    from accounts a where a.id = any(${accounts}::integer[])`.execute(db)
  return new Map(
    rows.map(({ account, contacts, field, rules, topics: numbers }) => {
      const topics = new Map(Object.entries(numbers))
      const { timeZone } = toContactSettings(contacts)
      const indexedRules = rules.map((rule) => indexPressureRule(rule, topics))
      return [account, { rules: indexedRules, topics, timeZoneField: field, timeZone }]
    }),
  )
}

/** A change of a rule holds for what is claimed more than a second later. */
const MAX_CACHE_AGE_MS = 900

/** Gives rules from a copy that is never older than a second, by the clock of the caller and by that of the process. */
export interface PressureRuleCache {
  of(db: Db, accounts: readonly AccountId[], now: number): Promise<ReadonlyMap<AccountId, AccountPressureRules>>
}

/** The copies of one process; those that were not asked for since are dropped with the next reading. */
export function openPressureRuleCache(): PressureRuleCache {
  let cachedRules = new Map<AccountId, { rules: AccountPressureRules; at: number; loadedAt: number }>()
  const isFresh = ({ at, loadedAt }: { at: number; loadedAt: number }, now: number) =>
    Math.abs(now - at) < MAX_CACHE_AGE_MS && performance.now() - loadedAt < MAX_CACHE_AGE_MS
  return {
    async of(db, accounts, now) {
      const staleAccounts = accounts.filter((account) => {
        const cachedEntry = cachedRules.get(account)
        return !cachedEntry || !isFresh(cachedEntry, now)
      })
      if (staleAccounts.length > 0) {
        const loadedAt = performance.now()
        const freshRules = await loadPressureRules(db, staleAccounts)
        cachedRules = new Map([...cachedRules].filter(([, cachedEntry]) => isFresh(cachedEntry, now)))
        for (const [account, rules] of freshRules) cachedRules.set(account, { rules, at: now, loadedAt })
        return new Map(
          accounts.flatMap((account) => {
            const rules = freshRules.get(account) ?? cachedRules.get(account)?.rules
            return rules ? [[account, rules] as const] : []
          }),
        )
      }
      return new Map(accounts.map((account) => [account, cachedRules.get(account)!.rules]))
    },
  }
}
