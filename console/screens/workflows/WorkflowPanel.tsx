import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { FormattedNumber } from '../../components/FormattedNumber.tsx'
import { LongTextField, TextField } from '../../components/form/fields.tsx'
import type { FormState } from '../../components/form/use-form.ts'
import { PagePanel } from '../../components/layout/PagePanel.tsx'
import { StatFigure, StatFigures } from '../../components/layout/StatFigure.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import type { ApiWorkflowFlaw, ApiWorkflowStatistics, WorkflowForm } from './calls.ts'
import { NodeSettingField } from './fields/NodeSettingField.tsx'
import { WorkflowFlawsContext } from './fields/node-form.ts'
import { workflowFieldTexts } from './fields/texts.ts'
import { WorkflowJsonField } from './fields/WorkflowJsonField.tsx'
import {
  PERIOD_REENTRY_MODE,
  WORKFLOW_ADVANCED_SETTINGS,
  WORKFLOW_CAPPING_SETTING,
  WORKFLOW_LISTENERS_SETTING,
  WORKFLOW_REENTRY_PERIOD_SETTING,
  WORKFLOW_REENTRY_SETTING,
  WORKFLOW_TASKS_SETTING,
} from './model/starts.ts'
import { workflowTexts } from './texts.ts'
import styles from './WorkflowsPage.module.css'

interface Props {
  form: FormState<WorkflowForm>
  flaws: readonly ApiWorkflowFlaw[]
  runs: ApiWorkflowStatistics['runs'] | undefined
  isReadOnly: boolean
}

const PANEL_PARTS = ['general', 'starts', 'limits', 'source'] as const
type PanelPart = (typeof PANEL_PARTS)[number]

function PanelFields({ part, form, isReadOnly }: { part: PanelPart } & Pick<Props, 'form' | 'isReadOnly'>) {
  const [t, fieldT] = [useTranslator(workflowTexts), useTranslator(workflowFieldTexts)]
  const fieldProps = { form, isReadOnly }
  if (part === 'general')
    return (
      <>
        <TextField {...fieldProps} at="/name" label={t('name')} />
        <LongTextField {...fieldProps} at="/description" label={t('description')} rows={2} />
        <NodeSettingField {...fieldProps} setting={WORKFLOW_REENTRY_SETTING} base="/settings" />
        {form.value.settings.reentry?.mode === PERIOD_REENTRY_MODE && (
          <NodeSettingField {...fieldProps} setting={WORKFLOW_REENTRY_PERIOD_SETTING} base="/settings" />
        )}
        <details className={styles['item']}>
          <summary>{t('advanced')}</summary>
          <div className={styles['fields']}>
            {WORKFLOW_ADVANCED_SETTINGS.map((setting) => (
              <NodeSettingField key={setting.at} {...fieldProps} setting={setting} base="/settings" />
            ))}
          </div>
        </details>
      </>
    )
  if (part === 'source')
    return (['listeners', 'tasks', 'capping', 'settings'] as const).map((name) => (
      <WorkflowJsonField
        key={name}
        {...fieldProps}
        at={`/${name}`}
        label={name === 'settings' ? t('settings') : fieldT(`set-${name}`)}
      />
    ))
  const listSettings =
    part === 'starts' ? [WORKFLOW_LISTENERS_SETTING, WORKFLOW_TASKS_SETTING] : [WORKFLOW_CAPPING_SETTING]
  return listSettings.map((setting) => (
    <div key={setting.at}>
      <p className={styles['why']}>{t(`${setting.at.slice(1)}Why` as 'listenersWhy')}</p>
      <NodeSettingField {...fieldProps} setting={setting} base="" />
    </div>
  ))
}

/** Number of runs and their outcomes. */
function RunFigures({ runs }: { runs: ApiWorkflowStatistics['runs'] }) {
  const t = useTranslator(workflowTexts)
  if (runs.started === 0) return null
  const endedRuns = runs.started - runs.open
  return (
    <StatFigures>
      <StatFigure label={t('started')} definition={t('startedWhy')}>
        <FormattedNumber value={runs.started} />
      </StatFigure>
      <StatFigure label={t('open')} definition={t('openWhy')}>
        <FormattedNumber value={runs.open} />
      </StatFigure>
      {endedRuns > 0 && (
        <StatFigure label={t('completedShare')} definition={t('completedShareWhy')}>
          <FormattedNumber value={runs.completed / endedRuns} percent />
        </StatFigure>
      )}
    </StatFigures>
  )
}

/** Settings of the workflow, and the triggers and limits of its runs; shown if no node is selected. */
export function WorkflowPanel({ form, flaws, runs, isReadOnly }: Props) {
  const t = useTranslator(workflowTexts)
  const [part, setPart] = useState<PanelPart>('general')
  return (
    <PagePanel title={t('workflow')}>
      <div className={styles['fields']}>
        {runs && <RunFigures runs={runs} />}
        <SegmentedControl
          size="xs"
          fullWidth
          aria-label={t('workflow')}
          data={PANEL_PARTS.map((value) => ({ value, label: t(value) }))}
          value={part}
          onChange={(next) => setPart(next as PanelPart)}
        />
        {flaws.map(({ message, path }) => (
          <p key={message + path} className={styles['fault']}>
            {message}
          </p>
        ))}
        <WorkflowFlawsContext value={flaws}>
          <PanelFields part={part} form={form} isReadOnly={isReadOnly} />
        </WorkflowFlawsContext>
      </div>
    </PagePanel>
  )
}
