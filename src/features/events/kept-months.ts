import { sql } from 'kysely'

/** Months that events are shown and kept, where the account does not say otherwise. */
export const EVENT_RETENTION_MONTHS = 25

/** How long an account `a` keeps its events, in months. */
export const retentionMonthsSql = sql`coalesce((a.settings #>> '{events,retentionMonths}')::integer, ${sql.lit(EVENT_RETENTION_MONTHS)})`

/** How long any account does. */
export const longestRetentionSql = sql`(select coalesce(max(${retentionMonthsSql}), ${sql.lit(EVENT_RETENTION_MONTHS)}) from accounts a)`
