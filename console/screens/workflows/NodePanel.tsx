import { Button, Group, Select, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { FormattedNumber } from '../../components/FormattedNumber.tsx'
import { TextField } from '../../components/form/fields.tsx'
import type { FormState } from '../../components/form/use-form.ts'
import { DefinedTerm } from '../../components/layout/DefinedTerm.tsx'
import { PagePanel } from '../../components/layout/PagePanel.tsx'
import { PlainTable } from '../../components/layout/PlainTable.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { StatFigure, StatFigures } from '../../components/layout/StatFigure.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import type { ApiWorkflowFlaw, ApiWorkflowStatistics, WorkflowForm } from './calls.ts'
import { NodeSettingField } from './fields/NodeSettingField.tsx'
import { WorkflowFlawsContext } from './fields/node-form.ts'
import { WorkflowJsonField } from './fields/WorkflowJsonField.tsx'
import { connectNodes, listNodeOutputs, setEntryNode, type WorkflowFormNode } from './model/graph.ts'
import { WORKFLOW_NODE_KINDS } from './model/kinds.ts'
import { workflowExperimentQuery } from './runs/use-experiments.ts'
import { workflowTexts } from './texts.ts'
import { nodeOutputLabel, nodeTypeLabel } from './type-words.ts'
import styles from './WorkflowsPage.module.css'

type NodeCounts = ApiWorkflowStatistics['nodes'][number]

interface Props {
  workflow: string
  form: FormState<WorkflowForm>
  step: WorkflowFormNode
  counts: NodeCounts | undefined
  flaws: readonly ApiWorkflowFlaw[]
  isReadOnly: boolean
}

/** Targets of a node, one for each output. */
function NodeOutputs({ form, step, isReadOnly }: Pick<Props, 'form' | 'step' | 'isReadOnly'>) {
  const t = useTranslator(workflowTexts)
  const { nodes } = form.value
  const targetChoices = nodes.map(({ id, name, type }) => ({
    value: id,
    label: name || `${nodeTypeLabel(t, type)} (${id})`,
  }))
  return listNodeOutputs(step).map(({ at, label, target }) => (
    <Select
      key={at}
      label={nodeOutputLabel(t, label)}
      placeholder={t('nowhere')}
      data={targetChoices}
      searchable
      clearable
      readOnly={isReadOnly}
      value={target}
      onChange={(next) => form.change({ ...form.value, nodes: connectNodes(nodes, step.id, at, next) })}
    />
  ))
}

function NodeExperiment({ workflow, node }: { workflow: string; node: string }) {
  const t = useTranslator(workflowTexts)
  const experimentQuery = useQuery(workflowExperimentQuery(workflow, node))
  if (experimentQuery.error) return <ProblemAlert error={experimentQuery.error} />
  if (!experimentQuery.data) return null
  const { branches, holdout } = experimentQuery.data
  return (
    <PlainTable label={t('results')}>
      <thead>
        <tr>
          <th>{t('branch')}</th>
          <th>
            <DefinedTerm definition={t('visitsWhy')}>{t('visits')}</DefinedTerm>
          </th>
          <th>
            <DefinedTerm definition={t('rateWhy')}>{t('rate')}</DefinedTerm>
          </th>
          <th>
            <DefinedTerm definition={t('bestWhy')}>{t('best')}</DefinedTerm>
          </th>
        </tr>
      </thead>
      <tbody>
        {[
          ...branches,
          ...(holdout.visits > 0 ? [{ ...holdout, id: t('out-holdoutNext'), probability: null }] : []),
        ].map(({ id, visits, rate, probability }) => (
          <tr key={id}>
            <td>{id}</td>
            <td>
              <FormattedNumber value={visits} />
            </td>
            <td>{rate !== null && <FormattedNumber value={rate} percent />}</td>
            <td>{probability !== null && <FormattedNumber value={probability} percent />}</td>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  )
}

const COUNT_NAMES = ['entered', 'current', 'left', 'failed', 'retried', 'capped'] as const

/** Activity of runs at a node. */
function NodeCountList({ counts }: { counts: NodeCounts }) {
  const t = useTranslator(workflowTexts)
  const shownCounts = COUNT_NAMES.filter((name) => counts[name] > 0)
  if (shownCounts.length === 0) return null
  return (
    <StatFigures>
      {shownCounts.map((name) => (
        <StatFigure key={name} label={t(`at-${name}`)} definition={t(`at-${name}-why`)}>
          <FormattedNumber value={counts[name]} />
        </StatFigure>
      ))}
    </StatFigures>
  )
}

/** Flaws of a node as it was stored, at its place of now. */
const relocateFlaws = (flaws: readonly ApiWorkflowFlaw[], base: string): ApiWorkflowFlaw[] =>
  flaws.map((flaw) => ({ ...flaw, path: flaw.path.replace(/^\/nodes\/\d+/, base) }))

function NodeSettings({
  form,
  base,
  step,
  isReadOnly,
}: { base: string } & Pick<Props, 'form' | 'step' | 'isReadOnly'>) {
  const t = useTranslator(workflowTexts)
  const nodeKind = WORKFLOW_NODE_KINDS[step.type]
  if (!nodeKind)
    return <WorkflowJsonField form={form} at={`${base}/settings`} label={t('settings')} isReadOnly={isReadOnly} />
  return (
    <>
      {nodeKind.own?.map((setting) => (
        <NodeSettingField key={setting.at} setting={setting} base={base} form={form} isReadOnly={isReadOnly} />
      ))}
      {nodeKind.settings.map((setting) => (
        <NodeSettingField
          key={setting.at + setting.as}
          setting={setting}
          form={form}
          isReadOnly={isReadOnly}
          base={`${base}/settings`}
        />
      ))}
    </>
  )
}

/** Panel of a node: its name, settings and outputs, and the activity of runs. */
export function NodePanel({ workflow, form, step, counts, flaws, isReadOnly }: Props) {
  const t = useTranslator(workflowTexts)
  const [isSource, setSource] = useState(false)
  const nodePointer = `/nodes/${form.value.nodes.findIndex(({ id }) => id === step.id)}`
  const nodeFlaws = useMemo(() => relocateFlaws(flaws, nodePointer), [flaws, nodePointer])
  return (
    <PagePanel title={nodeTypeLabel(t, step.type)} tools={<code>{step.id}</code>}>
      <div className={styles['fields']}>
        {counts && <NodeCountList counts={counts} />}
        {WORKFLOW_NODE_KINDS[step.type]?.isExperiment && counts && (
          <NodeExperiment workflow={workflow} node={step.id} />
        )}
        {flaws.map(({ message, path }) => (
          <p key={message + path} className={styles['fault']}>
            {message}
          </p>
        ))}
        <WorkflowFlawsContext value={nodeFlaws}>
          <TextField form={form} at={`${nodePointer}/name`} label={t('name')} isReadOnly={isReadOnly} />
          {isSource ? (
            <WorkflowJsonField
              form={form}
              at={`${nodePointer}/settings`}
              label={t('settings')}
              isReadOnly={isReadOnly}
            />
          ) : (
            <NodeSettings form={form} base={nodePointer} step={step} isReadOnly={isReadOnly} />
          )}
        </WorkflowFlawsContext>
        <NodeOutputs form={form} step={step} isReadOnly={isReadOnly} />
        <Group justify="space-between">
          <Switch label={t('source')} checked={isSource} onChange={(event) => setSource(event.currentTarget.checked)} />
          {!isReadOnly && step.default !== true && (
            <Button
              variant="default"
              size="xs"
              onClick={() => form.change({ ...form.value, nodes: setEntryNode(form.value.nodes, step.id) })}
            >
              {t('makeEntry')}
            </Button>
          )}
        </Group>
      </div>
    </PagePanel>
  )
}
