import { Button } from '@mantine/core'
import { useState } from 'react'
import { apiClient } from '../../api/client.ts'
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

type Result = ApiAnswer<'/marketing/pressure/backtest', 'post'>

const DAYS = 30
const DAY_MS = 86_400_000
const SHOWN_ACTIONS = 6

/** Tries the rule as it stands in the form over the messages of the last days; changes nothing. */
async function backTest({ predicate, label }: RuleDocument): Promise<Result> {
  const end = Date.now()
  const [start, until] = [new Date(end - DAYS * DAY_MS).toISOString(), new Date(end).toISOString()]
  const rule = { label: label || '-', active: true, predicate }
  const { data: result, response } = await apiClient.POST('/marketing/pressure/backtest', {
    body: { rule, start, end: until },
  })
  if (response.status !== 202) return result as Result
  return waitForJobResult<Result>(parseJobId(response))
}

function Shown({ result }: { result: Result }) {
  const t = useTranslator(pressureTexts)
  const format = useLocaleFormat()
  const { messages, stopped, contacts, byAction } = result
  const figures = { stopped: format.number(stopped), messages: format.number(messages), days: DAYS }
  const worst = byAction.filter((one) => one.stopped > 0).toSorted((a, b) => b.stopped - a.stopped)
  const most = worst[0] && worst[0].stopped > stopped / 2 ? worst[0].name : undefined
  return (
    <div className={styles['result']} role="status">
      <p className={styles['figure']}>
        {messages === 0
          ? t('nothingSent', { days: DAYS })
          : most
            ? t('stoppedMost', { ...figures, name: most })
            : t('stoppedOf', figures)}
      </p>
      {stopped > 0 && <p>{t('stoppedWhy', { share: format.percent(stopped / messages), count: contacts })}</p>}
      {worst.length > 0 && (
        <ul className={styles['actions']} aria-label={t('mostOfThem')}>
          {worst.slice(0, SHOWN_ACTIONS).map((one) => (
            <li key={`${one.type} ${one.id}`}>
              <bdi>{one.name}</bdi>
              <span className="digits">{t('of', { stopped: one.stopped, messages: one.messages })}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** What a rule would have stopped, before it is saved. */
export function BackTest({ rule }: { rule: RuleDocument }) {
  const t = useTranslator(pressureTexts)
  const [tried, setTried] = useState<{ of: string; result: Result } | null>(null)
  const now = JSON.stringify(rule.predicate)
  const { error, isBusy, run } = useAsyncAction(async () => setTried({ of: now, result: await backTest(rule) }))
  return (
    <PagePanel title={t('backTest')}>
      <p>{t('backTestWhy', { days: DAYS })}</p>
      <div>
        <Button variant="default" loading={isBusy} onClick={() => void run()}>
          {t('tryIt')}
        </Button>
      </div>
      {error !== null && <ProblemAlert error={error} />}
      {tried && <Shown result={tried.result} />}
      {tried && tried.of !== now && <small>{t('changedSince')}</small>}
    </PagePanel>
  )
}
