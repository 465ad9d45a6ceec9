import { useSyncExternalStore } from 'react'
import { useLocaleFormat } from '../text/format.ts'

const TICK_INTERVAL_MS = 30_000

let currentTime = Date.now()

/** The present, every half minute: what is "12 minutes ago" does not stay so. */
function subscribeToTime(listener: () => void): () => void {
  const timer = setInterval(() => {
    currentTime = Date.now()
    listener()
  }, TICK_INTERVAL_MS)
  return () => clearInterval(timer)
}

export function useCurrentTime(): number {
  return useSyncExternalStore(subscribeToTime, () => currentTime)
}

interface Props {
  at: string | number | Date
  /** `ago` is the default; `date` and `moment` for what lies ahead or is looked up. */
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
