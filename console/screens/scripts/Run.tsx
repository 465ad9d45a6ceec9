import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import type { Answer, Body } from '../../api/shapes.ts'
import { useShortcut } from '../../frame/keys.tsx'
import { Badge } from '../../parts/Badge.tsx'
import type { Form } from '../../parts/form/use-form.ts'
import { Panel } from '../../parts/Panel.tsx'
import { Problem } from '../../parts/Problem.tsx'
import { useAct } from '../../parts/use-act.ts'
import { useText } from '../../text/catalogue.ts'
import { JsonText } from './JsonField.tsx'
import { Logs, Result } from './Result.tsx'
import styles from './Scripts.module.css'
import { scriptTexts } from './texts.ts'
import type { Webtask } from './webtask-kind.ts'

type Item = NonNullable<Body<'/scripting/webtasks/{id}/execution', 'post'>>
type Outcome = Answer<'/scripting/webtasks/{id}/execution', 'post'>

interface RunError {
  type: string
  message?: string | undefined
  position?: { line: number; column: number } | undefined
}

/** Why a run ended: the kind, the words, the place in the script. */
export function RunFault({ error }: { error: RunError }) {
  const t = useText(scriptTexts)
  const { type, message, position } = error
  return (
    <p>
      <code>{type}</code> {message} {position && <small>{t('place', position)}</small>}
    </p>
  )
}

function Answered({ outcome }: { outcome: Outcome }) {
  const t = useText(scriptTexts)
  const isGood = outcome.type === 'success'
  return (
    <div className={styles['stack']} role="status">
      <div className={styles['line']}>
        <Badge tone={isGood ? 'good' : 'bad'}>{t(isGood ? 'success' : 'failed')}</Badge>
        <small>{t('took', { ms: outcome.durationMs })}</small>
      </div>
      {outcome.type === 'success' ? <Result value={outcome.value} /> : <RunFault error={outcome.value} />}
      <h3>{t('logs')}</h3>
      <Logs logs={outcome.logs} />
    </div>
  )
}

/** Runs a webtask with an item; what is not saved yet is saved first. */
export function Run({ id, form }: { id: string; form: Form<Webtask> }) {
  const t = useText(scriptTexts)
  const queries = useQueryClient()
  const [item, setItem] = useState<unknown>({ data: {} })
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const isDirty = form.changes.length > 0
  const act = useAct(async () => {
    setOutcome(null)
    if (isDirty && !(await form.save())) return
    const params = { path: { id } }
    setOutcome(await data(api.POST('/scripting/webtasks/{id}/execution', { params, body: (item ?? {}) as Item })))
    await queries.invalidateQueries({ queryKey: ['webtask', id, 'runs'] })
  })
  useShortcut('mod+Enter', t('run'), () => void act.run())
  return (
    <Panel title={t('tryIt')}>
      <JsonText label={t('item')} help={t('itemHelp')} value={item} onChange={setItem} />
      <div>
        <Button variant="default" loading={act.isBusy} onClick={() => void act.run()}>
          {t(isDirty ? 'saveAndRun' : 'run')}
        </Button>
      </div>
      {act.error !== null && <Problem error={act.error} />}
      {outcome && <Answered outcome={outcome} />}
    </Panel>
  )
}
