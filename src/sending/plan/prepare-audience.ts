import { sql } from 'kysely'
import { loadChannel } from '../../channels/registry.ts'
import type { ContentVersionSource } from '../../channels/version-source.ts'
import type { ServiceContext } from '../../context.ts'
import { formatPostgresArray } from '../../database/rows/array-text.ts'
import type { AccountId } from '../../lib/account.ts'
import { createOutboundPolicy } from '../../lib/net/guarded-client.ts'
import { readAudienceSlice } from './audience-snapshot.ts'

/** Contacts whose addresses are looked at together, before the first of them is planned. */
const AHEAD = 50_000

export type PlanningContext = Pick<
  ServiceContext,
  'db' | 'clock' | 'config' | 'log' | 'masterKeys' | 'renders' | 'tokens'
>

/** What is planned: of which account, run and content. */
export interface AudienceRun {
  account: AccountId
  run: string
  content: ContentVersionSource
}

/**
 * Gives what has to be called before contacts behind the first `planned` are planned, so many of them: their channel has its
 * far side tell what is to be known of the addresses. Nothing is done of channels that ask nothing.
 */
export async function createAudiencePreparer(
  { db, clock, config, log, masterKeys }: Pick<PlanningContext, 'db' | 'clock' | 'config' | 'log' | 'masterKeys'>,
  { account, run, content }: AudienceRun,
): Promise<(planned: number, count: number) => Promise<void>> {
  const channel = await loadChannel(content.channel)
  let through = -1

  async function addressesOf(contacts: readonly number[]): Promise<string[]> {
    const { rows } = await sql<{ address: string }>`
      select fields ->> ${String(content.settings.field)} as address from contacts
      where account = ${account} and id = any(${formatPostgresArray(contacts)}::bigint[])
        and fields ->> ${String(content.settings.field)} is not null`.execute(db)
    return rows.map(({ address }) => address)
  }

  return async (planned, count) => {
    if (!channel.prepareAudience || planned + count <= through) return
    const contacts = await readAudienceSlice(db, run, { planned, count: AHEAD })
    through = planned + AHEAD
    const tools = {
      db,
      clock,
      log,
      masterKeys,
      reach: createOutboundPolicy(config.outgoingAllow),
      dataDir: config.dataDir,
    }
    await channel.prepareAudience(tools, { account, source: content }, await addressesOf(contacts))
  }
}
