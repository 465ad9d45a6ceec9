import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { LongTextField, TextField } from '../../components/form/fields.tsx'
import type { Form } from '../../components/form/use-form.ts'
import { Panel } from '../../components/layout/Panel.tsx'
import { Stat, Stats } from '../../components/layout/Stat.tsx'
import { Num } from '../../components/Num.tsx'
import { useText } from '../../text/catalogue.ts'
import type { Draft, Flaw, Statistics } from './calls.ts'
import { JsonField } from './fields/JsonField.tsx'
import { FlawsContext } from './fields/node-form.ts'
import { SettingField } from './fields/SettingField.tsx'
import { fieldTexts } from './fields/texts.ts'
import { CAPPING, LISTENERS, RULES, TASKS } from './model/starts.ts'
import { workflowTexts } from './texts.ts'
import styles from './Workflows.module.css'

interface Props {
  form: Form<Draft>
  flaws: readonly Flaw[]
  runs: Statistics['runs'] | undefined
  isReadOnly: boolean
}

const PARTS = ['general', 'starts', 'limits', 'source'] as const
type Part = (typeof PARTS)[number]

function Fields({ part, form, isReadOnly }: { part: Part } & Pick<Props, 'form' | 'isReadOnly'>) {
  const [t, own] = [useText(workflowTexts), useText(fieldTexts)]
  const common = { form, isReadOnly }
  if (part === 'general')
    return (
      <>
        <TextField {...common} at="/name" label={t('name')} />
        <LongTextField {...common} at="/description" label={t('description')} rows={2} />
        {RULES.map((setting) => (
          <SettingField key={setting.at} {...common} setting={setting} base="/settings" />
        ))}
      </>
    )
  if (part === 'source')
    return (['listeners', 'tasks', 'capping', 'settings'] as const).map((name) => (
      <JsonField
        key={name}
        {...common}
        at={`/${name}`}
        label={name === 'settings' ? t('settings') : own(`set-${name}`)}
      />
    ))
  const lists = part === 'starts' ? [LISTENERS, TASKS] : [CAPPING]
  return lists.map((setting) => (
    <div key={setting.at}>
      <p className={styles['why']}>{t(`${setting.at.slice(1)}Why` as 'listenersWhy')}</p>
      <SettingField {...common} setting={setting} base="" />
    </div>
  ))
}

/** How many runs there are and what became of them. */
function Figures({ runs }: { runs: Statistics['runs'] }) {
  const t = useText(workflowTexts)
  if (runs.started === 0) return null
  const ended = runs.started - runs.open
  return (
    <Stats>
      <Stat label={t('started')} definition={t('startedWhy')}>
        <Num value={runs.started} />
      </Stat>
      <Stat label={t('open')} definition={t('openWhy')}>
        <Num value={runs.open} />
      </Stat>
      {ended > 0 && (
        <Stat label={t('completedShare')} definition={t('completedShareWhy')}>
          <Num value={runs.completed / ended} percent />
        </Stat>
      )}
    </Stats>
  )
}

/** What the workflow is, and what starts and limits its runs: where no node is selected. */
export function WholePanel({ form, flaws, runs, isReadOnly }: Props) {
  const t = useText(workflowTexts)
  const [part, setPart] = useState<Part>('general')
  return (
    <Panel title={t('workflow')}>
      <div className={styles['fields']}>
        {runs && <Figures runs={runs} />}
        <SegmentedControl
          size="xs"
          fullWidth
          aria-label={t('workflow')}
          data={PARTS.map((value) => ({ value, label: t(value) }))}
          value={part}
          onChange={(next) => setPart(next as Part)}
        />
        {flaws.map(({ message, path }) => (
          <p key={message + path} className={styles['fault']}>
            {message}
          </p>
        ))}
        <FlawsContext value={flaws}>
          <Fields part={part} form={form} isReadOnly={isReadOnly} />
        </FlawsContext>
      </div>
    </Panel>
  )
}
