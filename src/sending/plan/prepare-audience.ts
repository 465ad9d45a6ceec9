import { sql } from 'kysely'
import { loadChannel } from '../../channels/registry.ts'
import type { VersionSource } from '../../channels/version-source.ts'
import type { Context } from '../../context.ts'
import { arrayText } from '../../database/rows/array-text.ts'
import type { AccountId } from '../../lib/account.ts'
import { reachOf } from '../../lib/net/guarded-client.ts'
import { nextSlice } from './audience-snapshot.ts'

/** Contacts whose addresses are looked at together, before the first of them is planned. */
const AHEAD = 50_000

export type PlanningContext = Pick<Context, 'db' | 'clock' | 'config' | 'log' | 'masterKeys' | 'renders' | 'tokens'>

/** What is planned: of which account, run and content. */
export interface PlannedRun {
  account: AccountId
  run: string
  content: VersionSource
}

/**
 * Gives what has to be called before contacts behind the first `planned` are planned, so many of them: their channel has its
 * far side tell what is to be known of the addresses. Nothing is done of channels that ask nothing.
 */
export async function audiencePreparation(
  { db, clock, config, log, masterKeys }: Pick<PlanningContext, 'db' | 'clock' | 'config' | 'log' | 'masterKeys'>,
  { account, run, content }: PlannedRun,
): Promise<(planned: number, count: number) => Promise<void>> {
  const channel = await loadChannel(content.channel)
  let through = -1

  async function addressesOf(contacts: readonly number[]): Promise<string[]> {
    const { rows } = await sql<{ address: string }>`
      select fields ->> ${String(content.settings.field)} as address from contacts
      where account = ${account} and id = any(${arrayText(contacts)}::bigint[])
        and fields ->> ${String(content.settings.field)} is not null`.execute(db)
    return rows.map(({ address }) => address)
  }

  return async (planned, count) => {
    if (!channel.prepareAudience || planned + count <= through) return
    const contacts = await nextSlice(db, run, { planned, count: AHEAD })
    through = planned + AHEAD
    const tools = { db, clock, log, masterKeys, reach: reachOf(config.outgoingAllow), dataDir: config.dataDir }
    await channel.prepareAudience(tools, { account, source: content }, await addressesOf(contacts))
  }
}
