import { sql } from 'kysely'

/** Months that events are shown and kept, where the account does not say otherwise. */
export const EVENT_RETENTION_MONTHS = 25

/** Retention of the events of an account `a`, in months. */
export const retentionMonthsSql = sql`coalesce((a.settings #>> '{events,retentionMonths}')::integer, ${sql.lit(EVENT_RETENTION_MONTHS)})`

/** Longest retention of any account. */
export const longestRetentionSql = sql`(select coalesce(max(${retentionMonthsSql}), ${sql.lit(EVENT_RETENTION_MONTHS)}) from accounts a)`
