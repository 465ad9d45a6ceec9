import { Progress } from '@mantine/core'
import { useText } from '../text/catalogue.ts'
import { useFormat } from '../text/format.ts'
import { isUnderWay, useOverview } from './overview.ts'
import { frameTexts } from './texts.ts'
import styles from './Work.module.css'

/** One quiet line: nothing when nothing runs. */
export function Work() {
  const t = useText(frameTexts)
  const format = useFormat()
  const running = useOverview().data?.running.filter(isUnderWay) ?? []
  const done = running.reduce((sum, { progress }) => sum + (progress?.total ? progress.done : 0), 0)
  const total = running.reduce((sum, { progress }) => sum + (progress?.total ?? 0), 0)
  return (
    <div className={styles['work']} role="status">
      {running.length > 0 && (
        <>
          <span>{t('working', { count: running.length })}</span>
          {total > 0 && (
            <>
              <span className="digits">{format.percent(done / total, 0)}</span>
              <Progress
                value={(100 * done) / total}
                size={3}
                w={64}
                aria-label={t('working', { count: running.length })}
              />
            </>
          )}
        </>
      )}
    </div>
  )
}
