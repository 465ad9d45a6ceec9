/** Days of a report of what is sent on demand. */
export const REPORT_PERIODS_DAYS = [1, 7, 30, 90] as const
export type ReportPeriodDays = (typeof REPORT_PERIODS_DAYS)[number]
