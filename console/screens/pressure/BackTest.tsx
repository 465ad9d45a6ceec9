import { Button } from '@mantine/core'
import { useState } from 'react'
import { apiClient, readFullAnswer } from '../../api/client.ts'
import { parseJobId, waitForJobResult } from '../../api/jobs.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { PagePanel } from '../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useAsyncAction } from '../../components/use-act.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { useLocaleFormat } from '../../text/format.ts'
import styles from './Pressure.module.css'
import type { RuleDocument } from './rule-words.ts'
import { pressureTexts } from './texts.ts'

type BackTestResult = Exclude<ApiAnswer<'backtestPressureRule'>, ApiAnswer<'getJob'>>

const PERIOD_DAYS = 30
const DAY_MS = 86_400_000
const MAX_SHOWN_ACTIONS = 6

/** Tries the rule as it stands in the form over the messages of the last days; changes nothing. */
async function runBackTest({ predicate, label }: RuleDocument): Promise<BackTestResult> {
  const endMs = Date.now()
  const [startDate, endDate] = [new Date(endMs - PERIOD_DAYS * DAY_MS).toISOString(), new Date(endMs).toISOString()]
  const rule = { label: label || '-', active: true, predicate }
  const { data: result, response } = await readFullAnswer(apiClient.backtestPressureRule, {
    body: { rule, start: startDate, end: endDate },
  })
  if (response.status !== 202) return result as BackTestResult
  return waitForJobResult<BackTestResult>(parseJobId(response))
}

function BackTestSummary({ result }: { result: BackTestResult }) {
  const t = useTranslator(pressureTexts)
  const format = useLocaleFormat()
  const { messages, stopped, contacts, byAction } = result
  const formattedFigures = { stopped: format.number(stopped), messages: format.number(messages), days: PERIOD_DAYS }
  const mostStopped = byAction
    .filter((actionResult) => actionResult.stopped > 0)
    .toSorted((a, b) => b.stopped - a.stopped)
  const mainActionName = mostStopped[0] && mostStopped[0].stopped > stopped / 2 ? mostStopped[0].name : undefined
  return (
    <div className={styles['result']} role="status">
      <p className={styles['figure']}>
        {messages === 0
          ? t('nothingSent', { days: PERIOD_DAYS })
          : mainActionName
            ? t('stoppedMost', { ...formattedFigures, name: mainActionName })
            : t('stoppedOf', formattedFigures)}
      </p>
      {stopped > 0 && <p>{t('stoppedWhy', { share: format.percent(stopped / messages), count: contacts })}</p>}
      {mostStopped.length > 0 && (
        <ul className={styles['actions']} aria-label={t('mostOfThem')}>
          {mostStopped.slice(0, MAX_SHOWN_ACTIONS).map((actionResult) => (
            <li key={`${actionResult.type} ${actionResult.id}`}>
              <bdi>{actionResult.name}</bdi>
              <span className="digits">
                {t('of', { stopped: actionResult.stopped, messages: actionResult.messages })}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Messages that a rule would have stopped, computed before it is saved. */
export function BackTest({ rule }: { rule: RuleDocument }) {
  const t = useTranslator(pressureTexts)
  const [lastTest, setLastTest] = useState<{ of: string; result: BackTestResult } | null>(null)
  const now = JSON.stringify(rule.predicate)
  const { error, isBusy, run } = useAsyncAction(async () => setLastTest({ of: now, result: await runBackTest(rule) }))
  return (
    <PagePanel title={t('backTest')}>
      <p>{t('backTestWhy', { days: PERIOD_DAYS })}</p>
      <div>
        <Button variant="default" loading={isBusy} onClick={() => void run()}>
          {t('tryIt')}
        </Button>
      </div>
      {error !== null && <ProblemAlert error={error} />}
      {lastTest && <BackTestSummary result={lastTest.result} />}
      {lastTest && lastTest.of !== now && <small>{t('changedSince')}</small>}
    </PagePanel>
  )
}
