import { Progress } from '@mantine/core'
import { useTranslator } from '../text/catalogue.ts'
import { useLocaleFormat } from '../text/format.ts'
import styles from './BackgroundWork.module.css'
import { isOverviewRunning, useAccountOverview } from './overview.ts'
import { layoutTexts } from './texts.ts'

/** One quiet line: nothing when nothing runs. */
export function BackgroundWork() {
  const t = useTranslator(layoutTexts)
  const format = useLocaleFormat()
  const runningWork = useAccountOverview().data?.running.filter(isOverviewRunning) ?? []
  const doneCount = runningWork.reduce((sum, { progress }) => sum + (progress?.total ? progress.done : 0), 0)
  const total = runningWork.reduce((sum, { progress }) => sum + (progress?.total ?? 0), 0)
  return (
    <div className={styles['work']} role="status">
      {runningWork.length > 0 && (
        <>
          <span>{t('working', { count: runningWork.length })}</span>
          {total > 0 && (
            <>
              <span className="digits">{format.percent(doneCount / total, 0)}</span>
              <Progress
                value={(100 * doneCount) / total}
                size={3}
                w={64}
                aria-label={t('working', { count: runningWork.length })}
              />
            </>
          )}
        </>
      )}
    </div>
  )
}
