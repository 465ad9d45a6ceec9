import { sql } from 'kysely'

/** Months that events are shown and kept, where the account does not say otherwise. */
export const RETENTION_MONTHS = 25

/** How long an account `a` keeps its events, in months. */
export const kept = sql`coalesce((a.settings #>> '{events,retentionMonths}')::integer, ${sql.lit(RETENTION_MONTHS)})`

/** How long any account does. */
export const longestKept = sql`(select coalesce(max(${kept}), ${sql.lit(RETENTION_MONTHS)}) from accounts a)`
