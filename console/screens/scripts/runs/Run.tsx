import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../../api/client.ts'
import { useMe } from '../../../api/me.ts'
import { partsOf } from '../../../api/parts.ts'
import { isRefusal, type Fault as Refused, Unreachable } from '../../../api/refusal.ts'
import type { Answer } from '../../../api/shapes.ts'
import { Badge } from '../../../components/Badge.tsx'
import type { Fault } from '../../../components/code/CodeEditor.tsx'
import { isBroken } from '../../../components/code/json.ts'
import type { Form } from '../../../components/form/use-form.ts'
import { Panel } from '../../../components/layout/Panel.tsx'
import { Problem } from '../../../components/layout/Problem.tsx'
import { useAct } from '../../../components/use-act.ts'
import { useShortcut } from '../../../layout/dialogs/keys.tsx'
import { useText } from '../../../text/catalogue.ts'
import { FormOrJson } from '../FormOrJson.tsx'
import { type Item, ItemForm } from '../ItemForm.tsx'
import styles from '../Scripts.module.css'
import { scriptTexts } from '../texts.ts'
import { rightsOf } from '../webtasks/host-words.ts'
import type { Webtask } from '../webtasks/webtask-kind.ts'
import { useKept } from './kept-arguments.ts'
import { type LogLine, Logs, Result } from './Result.tsx'

type Outcome = Answer<'/scripting/webtasks/{id}/execution', 'post'>

const SECOND_MS = 1000
/** Pointers that fields show the faults of. */
const IN_FIELDS = /^\/(?:receiver(?:\/value)?$|data\/|variables\/)/
const NO_FAULTS: readonly Refused[] = []

const isRecord = (value: unknown): value is Item => value !== null && typeof value === 'object' && !Array.isArray(value)

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

function Answered({ outcome, hasLog }: { outcome: Outcome; hasLog: boolean }) {
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
      {hasLog ? <Logs logs={outcome.logs} /> : <small>{t('logsOff')}</small>}
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

const ACCEPT = { accept: 'application/x-ndjson' }

/** Runs a webtask; lines of its log are told as they come. */
async function execute(id: string, item: Item, onLog: (line: LogLine) => void): Promise<Outcome> {
  const asked = { params: { path: { id } }, body: item, headers: ACCEPT, parseAs: 'stream' } as const
  const { response } = await api.POST('/scripting/webtasks/{id}/execution', asked)
  for await (const text of partsOf(response.body, /\n/)) {
    const line = JSON.parse(text) as Outcome | ({ type: 'log' } & LogLine)
    if (line.type !== 'log') return line
    onLog(line)
  }
  throw new Unreachable('ended without a result')
}

interface Given {
  item: Item
  isJson: boolean
  /** What was typed and is no JSON yet. */
  typed: string | null
}

const FIRST: Given = { item: { data: {} }, isJson: false, typed: null }

/** Runs a webtask with an item; what is not saved yet is saved first. Who may not do what it asks for does not see it. */
export function Run({ id, form, isReadOnly, onFault }: Props) {
  const t = useText(scriptTexts)
  const queries = useQueryClient()
  const { rights } = useMe()
  const [{ item, isJson, typed }, setGiven] = useKept(`webtask.${id}`, FIRST)
  const [logs, setLogs] = useState<readonly LogLine[]>([])
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const isDirty = !isReadOnly && form.changes.length > 0
  const asked = rightsOf(form.value.scripting.environment.capabilities ?? [])
  const may = asked.every((right) => rights.includes(right))
  const cannot = isJson && isBroken(typed)
  const act = useAct(async () => {
    setOutcome(null)
    setLogs([])
    onFault(null)
    if (isDirty && !(await form.save())) return
    const ran = await execute(id, item, (line) => setLogs((before) => [...before, line]))
    setOutcome(ran)
    onFault(faultOf(ran))
    await queries.invalidateQueries({ queryKey: ['webtask', id, 'runs'] })
  })
  const run = (): void => void (!cannot && !act.isBusy && act.run())
  useShortcut('mod+Enter', t('run'), run, may)
  if (!may) return <Panel title={t('tryIt')}>{t('mayNotRun')}</Panel>
  const faults = isRefusal(act.error) ? act.error.errors : NO_FAULTS
  const give = (part: Partial<Given>): void => {
    act.forget()
    setGiven((before) => ({ ...before, ...part }))
  }
  return (
    <Panel title={t('tryIt')}>
      <FormOrJson
        label={t('item')}
        help={t('itemHelp')}
        value={item}
        onChange={(value) => give({ item: isRecord(value) ? value : {} })}
        faults={faults}
        isJson={isJson}
        onJson={(next) => setGiven((before) => ({ ...before, isJson: next }))}
        typed={typed}
        onTyped={(next) => give({ typed: next })}
      >
        <ItemForm
          item={item}
          onChange={(next) => give({ item: next, typed: null })}
          faultAt={(pointer) => faults.find((fault) => fault.pointer === pointer)?.detail}
        />
      </FormOrJson>
      <div>
        <Button variant="default" loading={act.isBusy} disabled={cannot} onClick={run}>
          {t(isDirty ? 'saveAndRun' : 'run')}
        </Button>
      </div>
      {act.isBusy && <Running />}
      {act.error !== null && (
        <Problem
          error={act.error instanceof Unreachable ? new Error(t('brokenOff')) : act.error}
          shownElsewhere={(pointer) => !isJson && IN_FIELDS.test(pointer)}
        />
      )}
      {!outcome && logs.length > 0 && <Logs logs={logs} isLive />}
      {outcome && <Answered outcome={outcome} hasLog={form.value.settings.logs} />}
    </Panel>
  )
}
