/** The largest `integer` of PostgreSQL: ids, counts and versions are stored in it. */
export const MAX_INT32 = 0x7fffffff

/** Limits of an integer that the database keeps as int32: in a schema, others are 400 and never reach it. */
export const int32Limits = { minimum: -0x80000000, maximum: MAX_INT32 } as const

/** Limits of an id that the database keeps as int32. */
export const int32IdLimits = { minimum: 1, maximum: MAX_INT32 } as const
