import { useSyncExternalStore } from 'react'
import { useLocaleFormat } from '../text/format.ts'

const TICK_MS = 30_000

let now = Date.now()

/** The present, every half minute: what is "12 minutes ago" does not stay so. */
function subscribe(listener: () => void): () => void {
  const timer = setInterval(() => {
    now = Date.now()
    listener()
  }, TICK_MS)
  return () => clearInterval(timer)
}

export function useCurrentTime(): number {
  return useSyncExternalStore(subscribe, () => now)
}

interface Props {
  at: string | number | Date
  /** `ago` is the default; `date` and `moment` for what lies ahead or is looked up. */
  as?: 'ago' | 'date' | 'moment'
}

/** A time, with the exact one and its zone on hover. */
export function FormattedTime({ at, as = 'ago' }: Props) {
  const format = useLocaleFormat()
  const present = useCurrentTime()
  const shown = as === 'ago' ? format.ago(at, present) : as === 'date' ? format.date(at) : format.dateTime(at)
  return (
    <time dateTime={new Date(at).toISOString()} title={format.exact(at)}>
      {shown}
    </time>
  )
}
