import type { RawBuilder } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { ContactSearchSelection } from './contact-schemas.ts'

/**
 * Functions that contacts require from features built on top of them. Those features may import contacts, but not vice versa.
 * `src/service/ports.ts` connects them.
 */
export interface ContactPorts {
  /**
   * A select of one column, the contacts in any of the segments, each once, dynamic ones as they stand when it is run.
   * Throws notFound for a segment that does not exist.
   */
  membersOf(db: Db, account: AccountId, segments: readonly number[]): Promise<RawBuilder<{ contact: number }>>
  /** The same of a search, as it stands when it is run. Throws 400 for criteria that cannot be read, with pointers below `/value`. */
  foundBy(
    db: Db,
    account: AccountId,
    search: Omit<ContactSearchSelection, 'except'>,
  ): Promise<RawBuilder<{ contact: number }>>
  /**
   * Ends what is under way for contacts that are deleted, with all it holds of them: before they are locked, and again after
   * their deletion, for what began meanwhile.
   */
  endRuns(tx: Db, account: AccountId, contacts: readonly number[]): Promise<void>
  /** Locks what waits to be sent to contacts that are to be erased: before the contacts, as senders do. */
  beforeForgetting(tx: Db, account: AccountId, contacts: readonly number[]): Promise<void>
  /**
   * Erases what events, archives and rejects of imports hold of contacts, whether these are there still or deleted;
   * gives those of which anything was kept.
   */
  forget(tx: Db, account: AccountId, contacts: readonly number[]): Promise<number[]>
}
