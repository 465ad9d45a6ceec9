import type { Logger } from 'pino'
import { type DatabaseConnection, openDatabasePool } from '../../database/connection/connect.ts'
import { getSenderConnectionName } from '../recover/recover-messages.ts'

/** One of them holds the lock of the sender. */
const MAX_CONNECTIONS = 9

/**
 * The connections of a sender thread, which finds everything by an index, whatever size its tables have: a statement that was planned
 * while a table was empty, as some are between two campaigns, would read all of it in order for each message when it has filled.
 */
export function connectSenderDatabase(url: string, sender: string, log: Logger): DatabaseConnection {
  return openDatabasePool(url, {
    max: MAX_CONNECTIONS,
    applicationName: getSenderConnectionName(sender),
    readsByIndex: true,
    plansLastMs: Number.POSITIVE_INFINITY,
    log: (error) => log.warn({ err: error }, 'database connection lost'),
  })
}
