import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, data } from '../../api/client.ts'
import { useMe } from '../../api/me.ts'
import type { Answer, Body } from '../../api/shapes.ts'
import { useShortcut } from '../../frame/keys.tsx'
import { Badge } from '../../parts/Badge.tsx'
import type { Fault } from '../../parts/code/CodeEditor.tsx'
import { JsonText } from '../../parts/code/JsonField.tsx'
import type { Form } from '../../parts/form/use-form.ts'
import { Panel } from '../../parts/Panel.tsx'
import { Problem } from '../../parts/Problem.tsx'
import { useAct } from '../../parts/use-act.ts'
import { useText } from '../../text/catalogue.ts'
import { rightsOf } from './host-words.ts'
import { Logs, Result } from './Result.tsx'
import styles from './Scripts.module.css'
import { scriptTexts } from './texts.ts'
import type { Webtask } from './webtask-kind.ts'

type Item = NonNullable<Body<'/scripting/webtasks/{id}/execution', 'post'>>
type Outcome = Answer<'/scripting/webtasks/{id}/execution', 'post'>

const SECOND_MS = 1000

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

/** How long it has run so far. */
function Running() {
  const t = useText(scriptTexts)
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), SECOND_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <div className={styles['line']} role="status">
      <Badge tone="busy">{t('running')}</Badge>
      <small aria-hidden>{t('runningFor', { seconds })}</small>
    </div>
  )
}

interface Props {
  id: string
  form: Form<Webtask>
  isReadOnly: boolean
  /** Told where a run ended in the script; null: it did not, or another began. */
  onFault(fault: Fault | null): void
}

const faultOf = (outcome: Outcome): Fault | null => {
  const { message, position } = outcome.type === 'error' ? (outcome.value as RunError) : {}
  return position ? { message: message ?? '', ...position } : null
}

/** Runs a webtask with an item; what is not saved yet is saved first. Who may not do what it asks for does not see it. */
export function Run({ id, form, isReadOnly, onFault }: Props) {
  const t = useText(scriptTexts)
  const queries = useQueryClient()
  const { rights } = useMe()
  const [item, setItem] = useState<unknown>({ data: {} })
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const isDirty = !isReadOnly && form.changes.length > 0
  const asked = rightsOf(form.value.scripting.environment.capabilities ?? [])
  const may = asked.every((right) => rights.includes(right))
  const act = useAct(async () => {
    setOutcome(null)
    onFault(null)
    if (isDirty && !(await form.save())) return
    const params = { path: { id } }
    const ran = await data(api.POST('/scripting/webtasks/{id}/execution', { params, body: (item ?? {}) as Item }))
    setOutcome(ran)
    onFault(faultOf(ran))
    await queries.invalidateQueries({ queryKey: ['webtask', id, 'runs'] })
  })
  useShortcut('mod+Enter', t('run'), () => void act.run(), may)
  if (!may)
    return (
      <Panel title={t('tryIt')}>
        <p>{t('mayNotRun')}</p>
      </Panel>
    )
  return (
    <Panel title={t('tryIt')}>
      <JsonText label={t('item')} help={t('itemHelp')} value={item} onChange={setItem} />
      <div>
        <Button variant="default" loading={act.isBusy} onClick={() => void act.run()}>
          {t(isDirty ? 'saveAndRun' : 'run')}
        </Button>
      </div>
      {act.isBusy && <Running />}
      {act.error !== null && <Problem error={act.error} />}
      {outcome && <Answered outcome={outcome} />}
    </Panel>
  )
}
