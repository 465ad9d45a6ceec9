import { Button, Group } from '@mantine/core'
import { useMemo, useState } from 'react'
import { apiClient } from '../../../api/client.ts'
import type { ApiRequestBody } from '../../../api/shapes.ts'
import { ContactField } from '../../../components/ContactField.tsx'
import { FormattedTime } from '../../../components/FormattedTime.tsx'
import { PagePanel } from '../../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { type BadgeTone, StateBadge } from '../../../components/StateBadge.tsx'
import { useAsyncAction } from '../../../components/use-act.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { type ApiWorkflow, type ApiWorkflowSimulation, workflowPathParams } from '../calls.ts'
import { WorkflowGraphView } from '../canvas/WorkflowGraphView.tsx'
import { ObjectPickField } from '../fields/ObjectPickField.tsx'
import { NodeInstantField } from '../fields/TimeFields.tsx'
import { workflowFieldTexts } from '../fields/texts.ts'
import { WorkflowJsonField } from '../fields/WorkflowJsonField.tsx'
import type { WorkflowFormNode } from '../model/graph.ts'
import { workflowTexts } from '../texts.ts'
import { describeSimulationFailure, effectMemberLabel, nodeTypeLabel, workflowRunStatusLabel } from '../type-words.ts'
import styles from '../WorkflowsPage.module.css'
import { SimulatedEvents } from './SimulatedEvents.tsx'
import { findNodeName, listTraceNodes, TraceList } from './TraceList.tsx'
import { type SimulationInput, useSimulationInput } from './use-trial.ts'

type SimulationBody = ApiRequestBody<'simulateWorkflow'>

const STATUS_TONES: Readonly<Record<string, BadgeTone>> = { completed: 'good', failed: 'bad', waiting: 'busy' }

const isBlank = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0)

/** Simulated effect of a node, member by member. */
function EffectDetails({ value }: { value: unknown }) {
  const fieldT = useTranslator(workflowFieldTexts)
  const effectMembers = Object.entries((value ?? {}) as object).filter(([, member]) => !isBlank(member))
  return (
    <dl className={styles['members']}>
      {effectMembers.map(([name, member]) => (
        <div key={name}>
          <dt>{effectMemberLabel(fieldT, name)}</dt>
          <dd>
            <code>{typeof member === 'string' ? member : JSON.stringify(member)}</code>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function SimulationResult({
  steps,
  found: simulation,
}: {
  steps: readonly WorkflowFormNode[]
  found: ApiWorkflowSimulation
}) {
  const t = useTranslator(workflowTexts)
  const { status = 'failed', outcome, reason, clock, effects = [], trace = [], value } = simulation
  return (
    <div className={styles['found']}>
      <p role="status">
        <StateBadge tone={STATUS_TONES[status] ?? 'neutral'}>{workflowRunStatusLabel(t, status)}</StateBadge>{' '}
        {outcome && <strong>{t('outcomeOf', { outcome })}</strong>} {clock && <FormattedTime at={clock} as="moment" />}
      </p>
      {simulation.type === 'error' && (
        <p className={styles['fault']} role="alert">
          {t('stoppedBy', { reason: describeSimulationFailure(t, value ?? {}) })}
        </p>
      )}
      {reason && <p>{reason}</p>}
      <h3>{t('effects')}</h3>
      {effects.length === 0 && <p>{t('noEffects')}</p>}
      <ol className={styles['effects']} aria-label={t('effects')}>
        {effects.map((effect, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: effects have no name but their place.
          <li key={n}>
            <strong>
              <bdi>{findNodeName(steps, effect.node)}</bdi>
            </strong>{' '}
            <small>{nodeTypeLabel(t, effect.type)}</small> <FormattedTime at={effect.at} as="moment" />
            <EffectDetails value={effect.value} />
          </li>
        ))}
      </ol>
      <h3>{t('path')}</h3>
      <TraceList steps={steps} trace={trace} />
    </div>
  )
}

const buildBody = ({
  contact,
  clock,
  node,
  events,
  data: runData,
  event,
  responses,
}: Omit<SimulationInput, 'nodes'>): SimulationBody =>
  ({
    receiver: contact === null ? null : { type: 'id', value: contact },
    clock,
    node,
    events: events ?? [],
    data: runData ?? null,
    event: event ?? null,
    responses: responses ?? null,
  }) as SimulationBody

/** Simulates the stored workflow for a contact; nothing is sent. */
export function WorkflowSimulationPanel({ workflow }: { workflow: ApiWorkflow }) {
  const [t, fieldT] = [useTranslator(workflowTexts), useTranslator(workflowFieldTexts)]
  const [simulation, setSimulation] = useState<ApiWorkflowSimulation | null>(null)
  const steps = workflow.nodes as unknown as WorkflowFormNode[]
  const simulateAction = useAsyncAction(async () => {
    setSimulation(
      await apiClient.simulateWorkflow({
        ...workflowPathParams(String(workflow.id)),
        body: buildBody(simulationInput),
      }),
    )
  })
  const { form, given: simulationInput, clear } = useSimulationInput(workflow.id, steps, simulateAction.error)
  const path = useMemo(() => listTraceNodes(simulation?.trace ?? [], simulation?.node), [simulation])
  const hasExtraInput =
    !isBlank(simulationInput.data) ||
    !isBlank(simulationInput.event) ||
    !isBlank(simulationInput.responses) ||
    simulationInput.node !== null
  const [isOpen] = useState(hasExtraInput)
  const fieldProps = { form, isReadOnly: false }
  return (
    <div className={styles['editor']} data-aside-first>
      <WorkflowGraphView steps={steps} path={path} />
      <PagePanel title={t('simulation')}>
        <form className={styles['fields']} onSubmit={simulateAction.submit}>
          <p className={styles['why']}>{t('simulationWhy')}</p>
          <ContactField
            label={t('contact')}
            help={t('contactWhy')}
            value={simulationInput.contact}
            onChange={(id) => form.set('/contact', id)}
          />
          <NodeInstantField {...fieldProps} at="/clock" label={t('clock')} help={t('clockWhy')} />
          <SimulatedEvents form={form} begin={simulationInput.clock} />
          <details className={styles['item']} open={isOpen}>
            <summary>{t('moreGiven')}</summary>
            <div className={styles['fields']}>
              <ObjectPickField {...fieldProps} at="/node" of="node" label={fieldT('set-handler')} />
              <WorkflowJsonField {...fieldProps} at="/data" label={t('givenData')} />
              <WorkflowJsonField {...fieldProps} at="/event" label={t('givenEvent')} />
              <WorkflowJsonField {...fieldProps} at="/responses" label={t('givenResponses')} />
            </div>
          </details>
          <Group gap={8}>
            <Button type="submit" loading={simulateAction.isBusy}>
              {t('simulate')}
            </Button>
            <Button variant="default" onClick={clear}>
              {t('clear')}
            </Button>
          </Group>
          {simulateAction.error !== null && <ProblemAlert error={simulateAction.error} />}
        </form>
        {simulation && <SimulationResult steps={steps} found={simulation} />}
      </PagePanel>
    </div>
  )
}
