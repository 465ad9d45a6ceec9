export const DISPLAY_PERIODS_DAYS = [7, 30, 90] as const
export type DisplayPeriodDays = (typeof DISPLAY_PERIODS_DAYS)[number]

/** Number of days of the report; the content whose tags are shown. */
export interface DisplayCampaignSearch {
  days?: DisplayPeriodDays | undefined
  content?: string | undefined
}
