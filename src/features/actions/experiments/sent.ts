import { type RawBuilder, sql } from 'kysely'
import type { SendingChannelName } from '../../../channels/channel-traits.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { EventReadScope } from '../../events/history/older-wanted.ts'
import type { RunExperimentVersion } from './stored.ts'

/** A campaign whose sends are looked for. */
export interface CampaignSendSource {
  account: number
  action: number
  channel: SendingChannelName
}

/** Filter of the events that `selectVersionSends` reads. */
export const buildSendEventFilter = (
  { account, action, channel }: CampaignSendSource,
  startedAt: Date,
): EventReadScope => ({
  account: account as AccountId,
  channels: [channel],
  subjects: [action],
  kinds: ['activations'],
  since: startedAt.getTime(),
  paths: [],
})

/**
 * Selects the messages sent as the shares of versions, without refused ones, from the events passed in. Columns: version, stamp, contact,
 * at.
 */
export const selectVersionSends = (
  events: RawBuilder<unknown>,
  { account, action, channel }: CampaignSendSource,
  { versions, startedAt }: { versions: readonly RunExperimentVersion[]; startedAt: Date },
): RawBuilder<unknown> => sql`
  select distinct on (s.stamp) s.version, s.stamp, s.contact, e.at
  from ${events} e join sent_messages s on s.account = e.account and s.stamp = e.stamp
  where e.account = ${account} and e.channel = ${channel} and e.subject = ${action} and e.kind = 'activations' and not e.is_test
    and e.at >= ${startedAt} and s.outcome = 'accepted' and s.version = any(${versions.map(({ version }) => version)}::integer[])
  order by s.stamp, e.at`
