import { useEffect, useState } from 'react'
import { useTranslator } from '../../text/catalogue.ts'
import { componentTexts } from '../texts.ts'
import styles from './LoadingSkeleton.module.css'

const SHOW_DELAY_MS = 150

/** True if something has waited long enough for a notice: nothing is shown before 150 ms. */
export function useIsWaitingLong(isWaiting: boolean): boolean {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => setSlow(true), SHOW_DELAY_MS)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [isWaiting])
  return isSlow && isWaiting
}

interface Props {
  /** Widths, in percent, of the lines that will appear. */
  lines?: readonly number[]
  height?: number
}

/** The shape of what is on its way. */
export function LoadingSkeleton({ lines = [40, 90, 75, 60], height = 14 }: Props) {
  const t = useTranslator(componentTexts)
  const isSlow = useIsWaitingLong(true)
  return (
    <div className={styles['skeleton']} role="status" aria-label={t('loading')}>
      {isSlow &&
        lines.map((width, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name.
          <span key={index} style={{ width: `${width}%`, height }} />
        ))}
    </div>
  )
}
