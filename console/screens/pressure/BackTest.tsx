import { Button } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { jobOf, jobResult } from '../../api/jobs.ts'
import type { Answer } from '../../api/shapes.ts'
import { Panel } from '../../components/layout/Panel.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { useAct } from '../../components/use-act.ts'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import styles from './Pressure.module.css'
import type { RuleDocument } from './rule-words.ts'
import { pressureTexts } from './texts.ts'

type Result = Answer<'/marketing/pressure/backtest', 'post'>

const DAYS = 30
const DAY_MS = 86_400_000
const SHOWN_ACTIONS = 6

/** Tries the rule as it stands in the form over the messages of the last days; changes nothing. */
async function backTest({ predicate, label }: RuleDocument): Promise<Result> {
  const end = Date.now()
  const [start, until] = [new Date(end - DAYS * DAY_MS).toISOString(), new Date(end).toISOString()]
  const rule = { label: label || '-', active: true, predicate }
  const { data: result, response } = await api.POST('/marketing/pressure/backtest', {
    body: { rule, start, end: until },
  })
  if (response.status !== 202) return result as Result
  return jobResult<Result>(jobOf(response))
}

function Shown({ result }: { result: Result }) {
  const t = useText(pressureTexts)
  const format = useFormat()
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
  const t = useText(pressureTexts)
  const [tried, setTried] = useState<{ of: string; result: Result } | null>(null)
  const now = JSON.stringify(rule.predicate)
  const { error, isBusy, run } = useAct(async () => setTried({ of: now, result: await backTest(rule) }))
  return (
    <Panel title={t('backTest')}>
      <p>{t('backTestWhy', { days: DAYS })}</p>
      <div>
        <Button variant="default" loading={isBusy} onClick={() => void run()}>
          {t('tryIt')}
        </Button>
      </div>
      {error !== null && <Problem error={error} />}
      {tried && <Shown result={tried.result} />}
      {tried && tried.of !== now && <small>{t('changedSince')}</small>}
    </Panel>
  )
}
