import { Progress } from '@mantine/core'
import type { ReactNode } from 'react'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { PagePanel } from '../../components/layout/PagePanel.tsx'
import { ObjectLink } from '../../components/ObjectLink.tsx'
import type { ApiOverview } from '../../layout/overview.ts'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './HomePage.module.css'
import { homeTexts } from './texts.ts'

/** Number of lines initially shown in a panel. */
const INITIAL_LINES = 8

function PanelLine({ children }: { children: ReactNode }) {
  return <li className={styles['line']}>{children}</li>
}

function RunningLine({ one: runningObject }: { one: ApiOverview['running'][number] }) {
  const t = useTranslator(homeTexts)
  const { type, id, name, state, progress } = runningObject
  const { done = 0, total = null } = progress ?? {}
  return (
    <PanelLine>
      <ObjectLink type={type} id={id} name={name} />
      <small className="digits">
        {t(state === 'running' ? 'works' : state)}
        {progress && total !== null && ` · ${t('of', { done, total })}`}
      </small>
      {total !== null && total > 0 && (
        <Progress value={(100 * done) / total} size={3} mt={4} aria-label={name ?? String(id)} />
      )}
    </PanelLine>
  )
}

/** Running objects; renders nothing if there are none. */
export function RunningObjects({ running }: { running: ApiOverview['running'] }) {
  const t = useTranslator(homeTexts)
  if (running.length === 0) return null
  return (
    <PagePanel title={t('running')}>
      <ul className={styles['lines']}>
        {running.slice(0, INITIAL_LINES).map((runningObject) => (
          <RunningLine key={`${runningObject.type} ${runningObject.id}`} one={runningObject} />
        ))}
      </ul>
    </PagePanel>
  )
}

/** Approvals that wait for a decision. */
export function PendingApprovals({ approvals }: { approvals: ApiOverview['approvals'] }) {
  const t = useTranslator(homeTexts)
  if (approvals.length === 0) return null
  return (
    <PagePanel title={t('approvals')}>
      <ul className={styles['lines']}>
        {approvals.slice(0, INITIAL_LINES).map(({ id, type, object, name, askedBy, date, comment }) => (
          <PanelLine key={id}>
            <ObjectLink type={type} id={object} name={name} />
            <small>
              {askedBy} · <FormattedTime at={date} />
            </small>
            {comment && <p>{comment}</p>}
          </PanelLine>
        ))}
      </ul>
    </PagePanel>
  )
}

/** Campaigns that wait for their date. */
export function PlannedCampaigns({ planned }: { planned: ApiOverview['planned'] }) {
  const t = useTranslator(homeTexts)
  if (planned.length === 0) return null
  return (
    <PagePanel title={t('planned')}>
      <ul className={styles['lines']}>
        {planned.slice(0, INITIAL_LINES).map(({ type, id, name, startDate }) => (
          <PanelLine key={`${type} ${id}`}>
            <ObjectLink type={type} id={id} name={name} />
            {startDate && (
              <small>
                <FormattedTime at={startDate} as="moment" />
              </small>
            )}
          </PanelLine>
        ))}
      </ul>
    </PagePanel>
  )
}

/** Recent failures and their reasons, in the words of the service. */
export function RecentFailures({ failed }: { failed: ApiOverview['failed'] }) {
  const t = useTranslator(homeTexts)
  return (
    <PagePanel title={t('failed')}>
      {failed.length === 0 && <p className={styles['quiet']}>{t('failedNone')}</p>}
      <ul className={styles['lines']}>
        {failed.slice(0, INITIAL_LINES).map(({ type, id, name, date, detail }) => (
          <PanelLine key={`${type} ${id} ${date}`}>
            <ObjectLink type={type} id={id} name={name} />
            {date && (
              <small>
                <FormattedTime at={date} />
              </small>
            )}
            <p>{detail}</p>
          </PanelLine>
        ))}
      </ul>
    </PagePanel>
  )
}

/** Tasks of the installation that fail, for its operators; nothing where none does. */
export function FailingTasks({ tasks }: { tasks: ApiOverview['failingTasks'] }) {
  const t = useTranslator(homeTexts)
  if (tasks.length === 0) return null
  return (
    <PagePanel title={t('tasks')}>
      <p className={styles['quiet']}>{t('tasksWhy')}</p>
      <ul className={styles['lines']}>
        {tasks.slice(0, INITIAL_LINES).map(({ task, subject, failures, since, error }) => (
          <PanelLine key={`${task} ${subject}`}>
            <strong>{subject === '' ? task : `${task} · ${subject}`}</strong>
            <small className="digits">
              {t('taskFailures', { failures })} · <FormattedTime at={since} />
            </small>
            <p>{error}</p>
          </PanelLine>
        ))}
      </ul>
    </PagePanel>
  )
}
