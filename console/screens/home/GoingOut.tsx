import { Button, Progress } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { apiClient } from '../../api/client.ts'
import { useHasRight } from '../../api/me.ts'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { PagePanel } from '../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { ObjectLink } from '../../components/ObjectLink.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { useAsyncAction } from '../../components/use-act.ts'
import type { ApiOverview } from '../../layout/overview.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { useLocaleFormat } from '../../text/format.ts'
import { useCurrentTime } from '../../text/present.ts'
import styles from './HomePage.module.css'
import { homeTexts } from './texts.ts'

const WEEK_MS = 7 * 24 * 3600 * 1000

type RunningObject = ApiOverview['running'][number]

/** Pauses a campaign that is being sent, or lets a paused one go on. */
function PauseButton({ running: { type, id, state } }: { running: RunningObject }) {
  const t = useTranslator(homeTexts)
  const queryClient = useQueryClient()
  const isPaused = state === 'paused'
  const { error, isBusy, run } = useAsyncAction(async () => {
    const params = { path: { id: String(id) } }
    if (type === 'rcsCampaign') await apiClient[isPaused ? 'resumeRcsAction' : 'pauseRcsAction'](params)
    else await apiClient[isPaused ? 'resumeAction' : 'pauseAction'](params)
    await queryClient.invalidateQueries({ queryKey: ['overview'] })
  })
  return (
    <>
      <Button size="compact-sm" variant="default" loading={isBusy} onClick={() => void run()}>
        {t(isPaused ? 'resume' : 'pause')}
      </Button>
      {error !== null && <ProblemAlert error={error} />}
    </>
  )
}

function RunningLine({ running }: { running: RunningObject }) {
  const t = useTranslator(homeTexts)
  const canSend = useHasRight('send')
  const { type, id, name, state, progress } = running
  const { done = 0, total = null } = progress ?? {}
  const canPause = canSend && type.endsWith('Campaign') && (state === 'sending' || state === 'paused')
  return (
    <li className={styles['going']}>
      <div>
        <span className={styles['title']}>
          <ObjectLink type={type} id={id} name={name} />
          <StateBadge tone={state === 'paused' ? 'warning' : 'busy'}>
            {t(state === 'running' ? 'works' : state)}
          </StateBadge>
        </span>
        {progress && total !== null && total > 0 && (
          <>
            <small className="digits">{t('of', { done, total })}</small>
            <Progress value={(100 * done) / total} size={4} mt={4} aria-label={name ?? String(id)} />
          </>
        )}
      </div>
      {canPause && <PauseButton running={running} />}
    </li>
  )
}

/** What is being sent or worked on now, and what goes out in the next seven days. */
export function GoingOut({ running, planned }: Pick<ApiOverview, 'running' | 'planned'>) {
  const t = useTranslator(homeTexts)
  const { zone } = useLocaleFormat()
  const now = useCurrentTime()
  const soon = planned.filter(({ startDate }) => startDate !== null && Date.parse(startDate) < now + WEEK_MS)
  if (running.length + soon.length === 0) return null
  return (
    <PagePanel title={t('goingOut')}>
      <ul className={styles['list']}>
        {running.map((runningObject) => (
          <RunningLine key={`${runningObject.type} ${runningObject.id}`} running={runningObject} />
        ))}
        {soon.map(({ type, id, name, startDate }) => (
          <li key={`${type} ${id}`} className={styles['going']}>
            <span className={styles['title']}>
              <ObjectLink type={type} id={id} name={name} />
              <StateBadge tone="scheduled">{t('scheduled')}</StateBadge>
            </span>
            {startDate && (
              <small>
                <FormattedTime at={startDate} as="moment" /> ({zone})
              </small>
            )}
          </li>
        ))}
      </ul>
    </PagePanel>
  )
}
