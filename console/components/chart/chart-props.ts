export interface ChartSeries {
  label: string
  /** One value for each time; null where a time has no value. */
  values: readonly (number | null)[]
  /** Hatched: what machines did, or what is not final. */
  isHatched?: boolean
  /** 1 to 8: which of the eight colours; by its place when absent. */
  colour?: number
}

export interface ChartProps {
  /** Title with the unit: "Opens an hour". The time zone is added. */
  title: string
  /** Times of the columns in milliseconds, ascending. */
  times: readonly number[]
  series: readonly ChartSeries[]
  /** Lines for courses, bars for counts of periods. */
  as?: 'lines' | 'bars'
  /** Times of sends: thin marks on the axis. */
  marks?: readonly number[]
  height?: number
  /** Shares as percentages. */
  isPercent?: boolean
}
