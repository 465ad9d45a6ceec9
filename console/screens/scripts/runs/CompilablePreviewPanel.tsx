import { Button, NumberInput } from '@mantine/core'
import { useState } from 'react'
import { isInvalidJson } from '../../../components/code/json.ts'
import { memberPointer } from '../../../components/form/pointers.ts'
import { PagePanel } from '../../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { StateBadge } from '../../../components/StateBadge.tsx'
import { useShortcut } from '../../../layout/dialogs/keys.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { CompilableFormParameter } from '../compilable-kind.ts'
import { FormOrJson } from '../FormOrJson.tsx'
import { ParameterValueField } from '../ParameterValueField.tsx'
import styles from '../Scripts.module.css'
import { scriptTexts } from '../texts.ts'
import { ScriptLogs, ScriptResult } from './ScriptResult.tsx'
import type { ApiPreviewOutcome, CompilablePreviewState, FinishedPreview } from './use-preview.ts'
import { ScriptRunFault } from './WebtaskRunPanel.tsx'

const isRecord = (value: unknown): boolean => value !== null && typeof value === 'object' && !Array.isArray(value)

/** Execution plan: the part done by the database, and the rest. */
function ExecutionPlan({ outcome }: { outcome: ApiPreviewOutcome }) {
  const t = useTranslator(scriptTexts)
  const { sql, memory, rowsRead, durationMs } = outcome.plan
  return (
    <p>
      {t('plan', { sql, memory, rows: rowsRead })} <small>{t('took', { ms: durationMs })}</small>
    </p>
  )
}

interface PreviewResultProps {
  made: FinishedPreview
  hasPlan: boolean
  /** It was changed since. */
  isOld: boolean
}

/** Result of a preview: rows, their execution plan, suppressed writes, and the log. */
export function PreviewResultView({ made: { outcome }, hasPlan, isOld }: PreviewResultProps) {
  const t = useTranslator(scriptTexts)
  const isSuccess = outcome.type === 'success'
  return (
    <div className={styles['stack']} role="status">
      <div className={styles['line']}>
        <StateBadge tone={isSuccess ? 'good' : 'bad'}>{t(isSuccess ? 'success' : 'failed')}</StateBadge>
        {isOld && <small>{t('isOld')}</small>}
      </div>
      {hasPlan && isSuccess && <ExecutionPlan outcome={outcome} />}
      {outcome.type === 'success' ? <ScriptResult value={outcome.value} /> : <ScriptRunFault error={outcome.value} />}
      {outcome.type === 'success' && outcome.writes.length > 0 && (
        <>
          <h3>{t('writes')}</h3>
          <ScriptResult value={outcome.writes} />
        </>
      )}
      {outcome.logs && outcome.logs.length > 0 && <ScriptLogs logs={outcome.logs} />}
    </div>
  )
}

interface Props {
  preview: CompilablePreviewState
  parameters: readonly CompilableFormParameter[]
  isPipeline: boolean
  isOld: boolean
}

/** Tries it with arguments, on few rows. */
export function CompilablePreviewPanel({ preview, parameters, isPipeline, isOld }: Props) {
  const t = useTranslator(scriptTexts)
  const { made: finishedPreview, given: argumentValues, isBusy, asked: requestedSteps, error } = preview
  const isFullPreview = isBusy && requestedSteps === null
  const [isJson, onJson] = useState(false)
  const [typedText, setTypedText] = useState<string | null>(null)
  const isBlocked = isJson && isInvalidJson(typedText)
  useShortcut('mod+Enter', t('preview'), () => preview.run(null), !isBlocked)
  const namedParameters = parameters.filter((parameter): parameter is CompilableFormParameter & { name: string } =>
    Boolean(parameter.name),
  )
  return (
    <PagePanel title={t('preview')}>
      {namedParameters.length > 0 && (
        <FormOrJson
          label={t('arguments')}
          help={t('argumentsHelp')}
          value={argumentValues.arguments}
          onChange={(value) => preview.set('/arguments', isRecord(value) ? value : {})}
          faults={preview.faults}
          isJson={isJson}
          onJson={onJson}
          typed={typedText}
          onTyped={setTypedText}
        >
          {namedParameters.map(({ name, type, required, default: absent, description }) => (
            <ParameterValueField
              key={name}
              type={type}
              label={required ? `${name} *` : name}
              help={[
                description,
                absent === null || absent === undefined ? null : t('whenAbsent', { value: JSON.stringify(absent) }),
              ]
                .filter((parameter) => parameter !== null && parameter !== undefined)
                .join(' ')}
              value={argumentValues.arguments[name]}
              error={preview.faultAt(memberPointer('/arguments', name))}
              isReadOnly={false}
              onChange={(value) => preview.set(memberPointer('/arguments', name), value)}
            />
          ))}
        </FormOrJson>
      )}
      {isPipeline && (
        <NumberInput
          size="xs"
          w={140}
          min={1}
          max={100}
          hideControls
          label={t('rowsShown')}
          error={preview.faultAt('/limit')}
          value={argumentValues.limit}
          onChange={(value) => preview.set('/limit', Number(value))}
        />
      )}
      <div>
        <Button variant="default" loading={isFullPreview} disabled={isBlocked} onClick={() => preview.run(null)}>
          {t('preview')}
        </Button>
      </div>
      {error !== null && <ProblemAlert error={error} shownElsewhere={(pointer) => pointer.startsWith('/arguments/')} />}
      {finishedPreview && finishedPreview.steps === null && (
        <PreviewResultView made={finishedPreview} hasPlan={isPipeline} isOld={isOld} />
      )}
    </PagePanel>
  )
}
