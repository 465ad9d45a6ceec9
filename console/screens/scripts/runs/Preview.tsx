import { Button, NumberInput } from '@mantine/core'
import { useState } from 'react'
import { Badge } from '../../../components/Badge.tsx'
import { isBroken } from '../../../components/code/json.ts'
import { memberAt } from '../../../components/form/pointers.ts'
import { Panel } from '../../../components/layout/Panel.tsx'
import { Problem } from '../../../components/layout/Problem.tsx'
import { useShortcut } from '../../../layout/dialogs/keys.tsx'
import { useText } from '../../../text/catalogue.ts'
import type { Parameter } from '../compilable-kind.ts'
import { FormOrJson } from '../FormOrJson.tsx'
import styles from '../Scripts.module.css'
import { TypedValue } from '../TypedValue.tsx'
import { scriptTexts } from '../texts.ts'
import { Logs, Result } from './Result.tsx'
import { RunFault } from './Run.tsx'
import type { Made, Outcome, Previewing } from './use-preview.ts'

const isRecord = (value: unknown): boolean => value !== null && typeof value === 'object' && !Array.isArray(value)

/** How it was done: what the database took over, what was left. */
function Plan({ outcome }: { outcome: Outcome }) {
  const t = useText(scriptTexts)
  const { sql, memory, rowsRead, durationMs } = outcome.plan
  return (
    <p>
      {t('plan', { sql, memory, rows: rowsRead })} <small>{t('took', { ms: durationMs })}</small>
    </p>
  )
}

interface AnsweredProps {
  made: Made
  hasPlan: boolean
  /** It was changed since. */
  isOld: boolean
}

/** What a preview answered: rows, how they were found, what would have been written, the log. */
export function Answered({ made: { outcome }, hasPlan, isOld }: AnsweredProps) {
  const t = useText(scriptTexts)
  const isGood = outcome.type === 'success'
  return (
    <div className={styles['stack']} role="status">
      <div className={styles['line']}>
        <Badge tone={isGood ? 'good' : 'bad'}>{t(isGood ? 'success' : 'failed')}</Badge>
        {isOld && <small>{t('isOld')}</small>}
      </div>
      {hasPlan && isGood && <Plan outcome={outcome} />}
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
  preview: Previewing
  parameters: readonly Parameter[]
  isPipeline: boolean
  isOld: boolean
}

/** Tries it with arguments, on few rows. */
export function Preview({ preview, parameters, isPipeline, isOld }: Props) {
  const t = useText(scriptTexts)
  const { made, given, isBusy, asked, error } = preview
  const isWhole = isBusy && asked === null
  const [isJson, onJson] = useState(false)
  const [typed, onTyped] = useState<string | null>(null)
  const cannot = isJson && isBroken(typed)
  useShortcut('mod+Enter', t('preview'), () => preview.run(null), !cannot)
  const named = parameters.filter((one): one is Parameter & { name: string } => Boolean(one.name))
  return (
    <Panel title={t('preview')}>
      {named.length > 0 && (
        <FormOrJson
          label={t('arguments')}
          help={t('argumentsHelp')}
          value={given.arguments}
          onChange={(value) => preview.set('/arguments', isRecord(value) ? value : {})}
          faults={preview.faults}
          {...{ isJson, onJson, typed, onTyped }}
        >
          {named.map(({ name, type, required, default: absent, description }) => (
            <TypedValue
              key={name}
              type={type}
              label={required ? `${name} *` : name}
              help={[
                description,
                absent === null || absent === undefined ? null : t('whenAbsent', { value: JSON.stringify(absent) }),
              ]
                .filter((one) => one !== null && one !== undefined)
                .join(' ')}
              value={given.arguments[name]}
              error={preview.faultAt(memberAt('/arguments', name))}
              isReadOnly={false}
              onChange={(value) => preview.set(memberAt('/arguments', name), value)}
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
          value={given.limit}
          onChange={(value) => preview.set('/limit', Number(value))}
        />
      )}
      <div>
        <Button variant="default" loading={isWhole} disabled={cannot} onClick={() => preview.run(null)}>
          {t('preview')}
        </Button>
      </div>
      {error !== null && <Problem error={error} shownElsewhere={(pointer) => pointer.startsWith('/arguments/')} />}
      {made && made.steps === null && <Answered made={made} hasPlan={isPipeline} isOld={isOld} />}
    </Panel>
  )
}
