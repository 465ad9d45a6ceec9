import { useLocaleFormat } from '../text/format.ts'
import { useCurrentTime } from '../text/present.ts'

interface Props {
  at: string | number | Date
  /** `ago` is the default and for the past alone; `date` and `moment` for what lies ahead or is looked up. */
  as?: 'ago' | 'date' | 'moment'
}

/** A time, with the exact one and its zone on hover. */
export function FormattedTime({ at, as = 'ago' }: Props) {
  const format = useLocaleFormat()
  const presentTime = useCurrentTime()
  const shownText = as === 'ago' ? format.ago(at, presentTime) : as === 'date' ? format.date(at) : format.dateTime(at)
  return (
    <time dateTime={new Date(at).toISOString()} title={format.exact(at)}>
      {shownText}
    </time>
  )
}
