import type { Benchmark } from './run.ts'
import { watchCampaign } from './watched-campaign.ts'

const RECIPIENTS = 1_000_000

/**
 * A campaign to 1,000,000 contacts: from the answer to its validation to the first message at the peer (at most 1 s), how
 * fast it is planned, and what the service holds while it sends them all (at most 350 MB, the same from 100,000 on).
 */
export const benchmark: Benchmark = async (report, recipients = RECIPIENTS) => {
  const { samples, warmRssMb, peakRssMb, ...figures } = await watchCampaign(report, recipients)
  return { recipients, ...figures, rssMbAtHundredThousand: warmRssMb, peakRssMb }
}
