import { sql } from 'kysely'

/**
 * The activations that reactions may still answer, as a table for writers: those that are stored here, and those kept of months that
 * are not any more. `activation` is that part of the detail. No write asks a store of older events.
 */
export const answerableActivations = sql`(
  select id, at, account, channel, subject, contact, stamp, thread, subscription, phone, agent, title, is_test, depth,
    detail -> 'activation' as activation
  from events where kind = 'activations'
  union all
  select id, at, account, channel, subject, contact, stamp, thread, subscription, phone, agent, title, is_test, depth, activation
  from kept_activations)`

/** Condition on such an activation `e`: it is of the SMS that went in place of a rich message. */
export const isFallbackActivation = sql`(e.activation -> 'fallback') is not null`
