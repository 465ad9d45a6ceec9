import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { apiClient, readFullAnswer } from '../../../api/client.ts'
import { useCurrentUser } from '../../../api/me.ts'
import { splitTextStream } from '../../../api/parts.ts'
import { isApiRefusal, type RequestFault, UnreachableError } from '../../../api/refusal.ts'
import type { ApiAnswer } from '../../../api/shapes.ts'
import type { CodeFault } from '../../../components/code/editor-props.ts'
import { isInvalidJson } from '../../../components/code/json.ts'
import type { FormState } from '../../../components/form/use-form.ts'
import { PagePanel } from '../../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { StateBadge } from '../../../components/StateBadge.tsx'
import { useAsyncAction } from '../../../components/use-act.ts'
import { useShortcut } from '../../../layout/dialogs/keys.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { FormOrJson } from '../FormOrJson.tsx'
import styles from '../Scripts.module.css'
import { scriptTexts } from '../texts.ts'
import { WebtaskItemForm, type WebtaskRunItem } from '../WebtaskItemForm.tsx'
import { listCapabilityRights } from '../webtasks/host-words.ts'
import type { ApiWebtask } from '../webtasks/webtask-kind.ts'
import { useLastArguments } from './kept-arguments.ts'
import { ScriptLogs, ScriptResult, type ShownLogLine } from './ScriptResult.tsx'

type Outcome = ApiAnswer<'executeWebtask'>

const SECOND_MS = 1000
/** Pointers that fields show the faults of. */
const FIELD_POINTERS = /^\/(?:receiver(?:\/value)?$|data\/|variables\/)/
const NO_FAULTS: readonly RequestFault[] = []

const isRecord = (value: unknown): value is WebtaskRunItem =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

interface RunError {
  type: string
  message?: string | undefined
  position?: { line: number; column: number } | undefined
}

/** Why a run ended: the kind, the words, the place in the script. */
export function ScriptRunFault({ error }: { error: RunError }) {
  const t = useTranslator(scriptTexts)
  const { type, message, position } = error
  return (
    <p>
      <code>{type}</code> {message} {position && <small>{t('place', position)}</small>}
    </p>
  )
}

function RunResult({ outcome, hasLog }: { outcome: Outcome; hasLog: boolean }) {
  const t = useTranslator(scriptTexts)
  const isSuccess = outcome.type === 'success'
  return (
    <div className={styles['stack']} role="status">
      <div className={styles['line']}>
        <StateBadge tone={isSuccess ? 'good' : 'bad'}>{t(isSuccess ? 'success' : 'failed')}</StateBadge>
        <small>{t('took', { ms: outcome.durationMs })}</small>
      </div>
      {outcome.type === 'success' ? <ScriptResult value={outcome.value} /> : <ScriptRunFault error={outcome.value} />}
      <h3>{t('logs')}</h3>
      {hasLog ? <ScriptLogs logs={outcome.logs} /> : <small>{t('logsOff')}</small>}
    </div>
  )
}

/** Elapsed time of the current run. */
function RunningTimer() {
  const t = useTranslator(scriptTexts)
  const [elapsedSeconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), SECOND_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <div className={styles['line']} role="status">
      <StateBadge tone="busy">{t('running')}</StateBadge>
      <small aria-hidden>{t('runningFor', { seconds: elapsedSeconds })}</small>
    </div>
  )
}

interface Props {
  id: string
  form: FormState<ApiWebtask>
  isReadOnly: boolean
  /** Told where a run ended in the script; null: it did not, or another began. */
  onFault(fault: CodeFault | null): void
}

const toCodeFault = (outcome: Outcome): CodeFault | null => {
  const { message, position } = outcome.type === 'error' ? (outcome.value as RunError) : {}
  return position ? { message: message ?? '', ...position } : null
}

const NDJSON_HEADERS = { accept: 'application/x-ndjson' }

/** Runs a webtask, and reports the lines of its log as they arrive. */
async function executeWebtask(id: string, item: WebtaskRunItem, onLog: (line: ShownLogLine) => void): Promise<Outcome> {
  const executionRequest = { path: { id }, body: item, headers: NDJSON_HEADERS, parseAs: 'stream' } as const
  const { response } = await readFullAnswer(apiClient.executeWebtask, executionRequest)
  for await (const text of splitTextStream(response.body, /\n/)) {
    const line = JSON.parse(text) as Outcome | ({ type: 'log' } & ShownLogLine)
    if (line.type !== 'log') return line
    onLog(line)
  }
  throw new UnreachableError('ended without a result')
}

interface RunInput {
  item: WebtaskRunItem
  isJson: boolean
  /** Typed text that is not valid JSON yet. */
  typed: string | null
}

const INITIAL_INPUT: RunInput = { item: { data: {} }, isJson: false, typed: null }

/** Runs a webtask with an item; what is not saved yet is saved first. Who may not do what it asks for does not see it. */
export function WebtaskRunPanel({ id, form, isReadOnly, onFault }: Props) {
  const t = useTranslator(scriptTexts)
  const queryClient = useQueryClient()
  const { rights } = useCurrentUser()
  const [{ item, isJson, typed }, setRunInput] = useLastArguments(`webtask.${id}`, INITIAL_INPUT)
  const [logs, setLogs] = useState<readonly ShownLogLine[]>([])
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const isDirty = !isReadOnly && form.changes.length > 0
  const requiredRights = listCapabilityRights(form.value.scripting.environment.capabilities ?? [])
  const canRun = requiredRights.every((right) => rights.includes(right))
  const isBlocked = isJson && isInvalidJson(typed)
  const runAction = useAsyncAction(async () => {
    setOutcome(null)
    setLogs([])
    onFault(null)
    if (isDirty && !(await form.save())) return
    const runOutcome = await executeWebtask(id, item, (line) => setLogs((before) => [...before, line]))
    setOutcome(runOutcome)
    onFault(toCodeFault(runOutcome))
    await queryClient.invalidateQueries({ queryKey: ['webtask', id, 'runs'] })
  })
  const startRun = (): void => void (!isBlocked && !runAction.isBusy && runAction.run())
  useShortcut('mod+Enter', t('run'), startRun, canRun)
  if (!canRun) return <PagePanel title={t('tryIt')}>{t('mayNotRun')}</PagePanel>
  const inputFaults = isApiRefusal(runAction.error) ? runAction.error.errors : NO_FAULTS
  const changeInput = (part: Partial<RunInput>): void => {
    runAction.forget()
    setRunInput((before) => ({ ...before, ...part }))
  }
  return (
    <PagePanel title={t('tryIt')}>
      <FormOrJson
        label={t('item')}
        help={t('itemHelp')}
        value={item}
        onChange={(value) => changeInput({ item: isRecord(value) ? value : {} })}
        faults={inputFaults}
        isJson={isJson}
        onJson={(next) => setRunInput((before) => ({ ...before, isJson: next }))}
        typed={typed}
        onTyped={(next) => changeInput({ typed: next })}
      >
        <WebtaskItemForm
          item={item}
          onChange={(next) => changeInput({ item: next, typed: null })}
          faultAt={(pointer) => inputFaults.find((fault) => fault.pointer === pointer)?.detail}
        />
      </FormOrJson>
      <div>
        <Button variant="default" loading={runAction.isBusy} disabled={isBlocked} onClick={startRun}>
          {t(isDirty ? 'saveAndRun' : 'run')}
        </Button>
      </div>
      {runAction.isBusy && <RunningTimer />}
      {runAction.error !== null && (
        <ProblemAlert
          error={runAction.error instanceof UnreachableError ? new Error(t('brokenOff')) : runAction.error}
          shownElsewhere={(pointer) => !isJson && FIELD_POINTERS.test(pointer)}
        />
      )}
      {!outcome && logs.length > 0 && <ScriptLogs logs={logs} isLive />}
      {outcome && <RunResult outcome={outcome} hasLog={form.value.settings.logs} />}
    </PagePanel>
  )
}
