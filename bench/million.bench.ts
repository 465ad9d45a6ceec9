import type { Benchmark } from './run.ts'
import { type Sample, watchCampaign } from './watched-campaign.ts'

const RECIPIENTS = 1_000_000

/**
 * The least number of planned messages that waited for a sender, counted up to 10,000, while others were being sent and
 * the plan went on; all of them when it had ended before. Its first slice is left out: that is small, so as to be taken
 * at once.
 */
function planLeadOf(samples: readonly Sample[], recipients: number): number {
  const [first] = samples
  const waiting = samples
    .filter(({ planned }) => planned > (first?.planned ?? 0))
    .filter(({ sent }, index, later) => sent > (later[index - 1]?.sent ?? 0))
    .flatMap((sample) => sample.waiting ?? [])
  return Math.min(recipients, ...waiting)
}

/**
 * A campaign to 1,000,000 contacts, watched from its validation to its last message: when the first one is at the peer
 * (at most 1 s), how fast it is planned and sent, whether the plan keeps ahead of the senders (`planLead`; 0: it does
 * not), and what the service holds, in MB: at most 350, the same from 100,000 messages on.
 */
export const benchmark: Benchmark = async (report, recipients = RECIPIENTS) => {
  const { samples, warmRssMb, ...figures } = await watchCampaign(report, recipients)
  const rssAtEndMb = samples.at(-1)?.rssMb ?? 0
  return {
    recipients,
    ...figures,
    rssAt100kMb: warmRssMb,
    rssAtEndMb,
    rssGrowthMb: rssAtEndMb - warmRssMb,
    planLead: planLeadOf(samples, recipients),
  }
}
