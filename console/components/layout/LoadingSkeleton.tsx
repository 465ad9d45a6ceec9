import { useEffect, useState } from 'react'
import { useTranslator } from '../../text/catalogue.ts'
import { componentTexts } from '../texts.ts'
import styles from './LoadingSkeleton.module.css'

const QUIET_MS = 150

/** Whether something has waited so long that it is worth saying: nothing is shown under 150 ms. */
export function useIsWaitingLong(isWaiting: boolean): boolean {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => setSlow(true), QUIET_MS)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [isWaiting])
  return isSlow && isWaiting
}

interface Props {
  /** Lines of the shape that will stand here: their widths in percent. */
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
