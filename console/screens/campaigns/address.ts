export const CAMPAIGN_PHASES = ['planned', 'running', 'over'] as const
export type CampaignPhase = (typeof CAMPAIGN_PHASES)[number]

/** Search and filters of the list. */
export interface CampaignsSearch {
  q?: string | undefined
  phase?: CampaignPhase | undefined
  sort?: string | undefined
}
