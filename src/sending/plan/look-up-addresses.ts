import { sql } from 'kysely'
import { loadChannel } from '../../channels/load-channel.ts'
import type { ContentVersionSource } from '../../channels/version-source.ts'
import type { ServiceContext } from '../../context.ts'
import { formatPostgresArray } from '../../database/rows/array-text.ts'
import type { AccountId } from '../../lib/account.ts'
import { createOutboundPolicy } from '../../lib/net/guarded-client.ts'
import { readAudienceSlice } from './select-audience.ts'

/** Contacts whose addresses are looked at together, before the first of them is planned. */
const LOOKAHEAD_CONTACTS = 50_000

export type PlanningContext = Pick<
  ServiceContext,
  'db' | 'clock' | 'config' | 'log' | 'masterKeys' | 'renders' | 'tokens'
>

/** Account, run and content that are planned. */
export interface AudienceRun {
  account: AccountId
  run: string
  content: ContentVersionSource
}

/**
 * Returns a function to call before contacts after the first `planned` are planned, with their number: the far side of their channel
 * reports what must be known of the addresses. It does nothing for channels without such requests.
 */
export async function createAudiencePreparer(
  { db, clock, config, log, masterKeys }: Pick<PlanningContext, 'db' | 'clock' | 'config' | 'log' | 'masterKeys'>,
  { account, run, content }: AudienceRun,
): Promise<(planned: number, count: number) => Promise<void>> {
  const channel = await loadChannel(content.channel)
  let preparedThrough = -1

  async function addressesOf(contacts: readonly number[]): Promise<string[]> {
    const { rows } = await sql<{ address: string }>`
      select fields ->> ${String(content.settings.field)} as address from contacts
      where account = ${account} and id = any(${formatPostgresArray(contacts)}::bigint[])
        and fields ->> ${String(content.settings.field)} is not null`.execute(db)
    return rows.map(({ address }) => address)
  }

  return async (planned, count) => {
    if (!channel.prepareAudience || planned + count <= preparedThrough) return
    const contacts = await readAudienceSlice(db, run, { planned, count: LOOKAHEAD_CONTACTS })
    preparedThrough = planned + LOOKAHEAD_CONTACTS
    const channelTools = {
      db,
      clock,
      log,
      masterKeys,
      reach: createOutboundPolicy(config.outgoingAllow),
      dataDir: config.dataDir,
    }
    await channel.prepareAudience(channelTools, { account, source: content }, await addressesOf(contacts))
  }
}
