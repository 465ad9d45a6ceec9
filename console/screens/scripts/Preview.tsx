import { Button } from '@mantine/core'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import type { Answer, Body } from '../../api/shapes.ts'
import { useShortcut } from '../../frame/keys.tsx'
import { Badge } from '../../parts/Badge.tsx'
import { NumberField } from '../../parts/form/fields.tsx'
import type { Form } from '../../parts/form/use-form.ts'
import { Panel } from '../../parts/Panel.tsx'
import { Problem } from '../../parts/Problem.tsx'
import { useAct } from '../../parts/use-act.ts'
import { useText } from '../../text/catalogue.ts'
import type { Compilable } from './compilable-kind.ts'
import type { Flaw } from './flaws.ts'
import { JsonField } from './JsonField.tsx'
import { Logs, Result } from './Result.tsx'
import { RunFault } from './Run.tsx'
import styles from './Scripts.module.css'
import { scriptTexts } from './texts.ts'

type Outcome = Exclude<Answer<'/scripting/compilables/{id}/preview', 'post'>, { flaws: unknown }>
type Asked = NonNullable<Body<'/scripting/compilables/{id}/preview', 'post'>>

/** How it was done: what the database took over, what was left, what would have been written. */
function Plan({ outcome }: { outcome: Outcome }) {
  const t = useText(scriptTexts)
  const { sql, memory, rowsRead, durationMs } = outcome.plan
  return (
    <p>
      {t('plan', { sql, memory, rows: rowsRead })} <small>{t('took', { ms: durationMs })}</small>
    </p>
  )
}

function Answered({ outcome, hasPlan }: { outcome: Outcome; hasPlan: boolean }) {
  const t = useText(scriptTexts)
  const isGood = outcome.type === 'success'
  return (
    <div className={styles['stack']} role="status">
      <div className={styles['line']}>
        <Badge tone={isGood ? 'good' : 'bad'}>{t(isGood ? 'success' : 'failed')}</Badge>
      </div>
      {hasPlan && <Plan outcome={outcome} />}
      {outcome.type === 'success' ? <Result value={outcome.value} /> : <RunFault error={outcome.value} />}
      {outcome.type === 'success' && outcome.writes.length > 0 && (
        <>
          <h3>{t('writes')}</h3>
          <Result value={outcome.writes} />
        </>
      )}
      {outcome.logs && outcome.logs.length > 0 && <Logs logs={outcome.logs} />}
    </div>
  )
}

interface Props {
  id: string
  form: Form<Compilable>
  onFlaws(flaws: readonly Flaw[]): void
}

/** Tries what is in the form, saved or not, on few rows; nothing is stored or written. */
export function Preview({ id, form, onFlaws }: Props) {
  const t = useText(scriptTexts)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const { value, preview } = form.value
  const act = useAct(async () => {
    setOutcome(null)
    const body = { value, arguments: preview.arguments, limit: preview.limit } as Asked
    const answer = await data(api.POST('/scripting/compilables/{id}/preview', { params: { path: { id } }, body }))
    onFlaws('flaws' in answer ? answer.flaws : [])
    if (!('flaws' in answer)) setOutcome(answer)
  })
  useShortcut('mod+Enter', t('preview'), () => void act.run())
  return (
    <Panel title={t('preview')}>
      <JsonField form={form} at="/preview/arguments" label={t('arguments')} help={t('argumentsHelp')} minHeight={48} />
      <NumberField form={form} at="/preview/limit" label={t('rowsShown')} min={1} max={100} />
      <div>
        <Button variant="default" loading={act.isBusy} onClick={() => void act.run()}>
          {t('preview')}
        </Button>
      </div>
      {act.error !== null && <Problem error={act.error} />}
      {outcome && <Answered outcome={outcome} hasPlan={value.type === 'pipeline'} />}
    </Panel>
  )
}
