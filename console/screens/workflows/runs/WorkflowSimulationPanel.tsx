import { Button, Group } from '@mantine/core'
import { useMemo, useState } from 'react'
import { apiClient, readAnswer } from '../../../api/client.ts'
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
import { effectMemberLabel, nodeTypeLabel, workflowRunStatusLabel } from '../type-words.ts'
import styles from '../WorkflowsPage.module.css'
import { SimulatedEvents } from './SimulatedEvents.tsx'
import { findNodeName, listTraceNodes, TraceList } from './TraceList.tsx'
import { type SimulationInput, useSimulationInput } from './use-trial.ts'

type Asked = ApiRequestBody<'/scripting/workflows/{id}/simulation', 'post'>

const TONES: Readonly<Record<string, BadgeTone>> = { completed: 'good', failed: 'bad', waiting: 'busy' }

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0)

/** What a node would have done, member by member. */
function Effect({ value }: { value: unknown }) {
  const own = useTranslator(workflowFieldTexts)
  const members = Object.entries((value ?? {}) as object).filter(([, member]) => !isEmpty(member))
  return (
    <dl className={styles['members']}>
      {members.map(([name, member]) => (
        <div key={name}>
          <dt>{effectMemberLabel(own, name)}</dt>
          <dd>
            <code>{typeof member === 'string' ? member : JSON.stringify(member)}</code>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Found({ steps, found }: { steps: readonly WorkflowFormNode[]; found: ApiWorkflowSimulation }) {
  const t = useTranslator(workflowTexts)
  const { status = 'failed', outcome, reason, clock, effects = [], trace = [], value } = found
  const message = value?.['message']
  return (
    <div className={styles['found']}>
      <p role="status">
        <StateBadge tone={TONES[status] ?? 'neutral'}>{workflowRunStatusLabel(t, status)}</StateBadge>{' '}
        {outcome && <strong>{t('outcomeOf', { outcome })}</strong>} {clock && <FormattedTime at={clock} as="moment" />}
      </p>
      {found.type === 'error' && (
        <p className={styles['fault']} role="alert">
          {t('stoppedBy', { reason: [value?.type, message].filter(Boolean).join(': ') })}
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
            <Effect value={effect.value} />
          </li>
        ))}
      </ol>
      <h3>{t('path')}</h3>
      <TraceList steps={steps} trace={trace} />
    </div>
  )
}

const bodyOf = ({ contact, clock, node, events, data: own, event, responses }: Omit<SimulationInput, 'nodes'>): Asked =>
  ({
    receiver: contact === null ? null : { type: 'id', value: contact },
    ...{ clock, node, events: events ?? [], data: own ?? null, event: event ?? null, responses: responses ?? null },
  }) as Asked

/** What the stored workflow would do for a contact, with nothing sent. */
export function WorkflowSimulationPanel({ workflow }: { workflow: ApiWorkflow }) {
  const [t, own] = [useTranslator(workflowTexts), useTranslator(workflowFieldTexts)]
  const [found, setFound] = useState<ApiWorkflowSimulation | null>(null)
  const steps = workflow.nodes as unknown as WorkflowFormNode[]
  const act = useAsyncAction(async () => {
    const path = '/scripting/workflows/{id}/simulation' as const
    setFound(
      await readAnswer(apiClient.POST(path, { ...workflowPathParams(String(workflow.id)), body: bodyOf(given) })),
    )
  })
  const { form, given, clear } = useSimulationInput(workflow.id, steps, act.error)
  const path = useMemo(() => listTraceNodes(found?.trace ?? [], found?.node), [found])
  const isMore = !isEmpty(given.data) || !isEmpty(given.event) || !isEmpty(given.responses) || given.node !== null
  const [isOpen] = useState(isMore)
  const common = { form, isReadOnly: false }
  return (
    <div className={styles['editor']} data-aside-first>
      <WorkflowGraphView steps={steps} path={path} />
      <PagePanel title={t('simulation')}>
        <form className={styles['fields']} onSubmit={act.submit}>
          <p className={styles['why']}>{t('simulationWhy')}</p>
          <ContactField
            label={t('contact')}
            help={t('contactWhy')}
            value={given.contact}
            onChange={(id) => form.set('/contact', id)}
          />
          <NodeInstantField {...common} at="/clock" label={t('clock')} help={t('clockWhy')} />
          <SimulatedEvents form={form} begin={given.clock} />
          <details className={styles['item']} open={isOpen}>
            <summary>{t('moreGiven')}</summary>
            <div className={styles['fields']}>
              <ObjectPickField {...common} at="/node" of="node" label={own('set-handler')} />
              <WorkflowJsonField {...common} at="/data" label={t('givenData')} />
              <WorkflowJsonField {...common} at="/event" label={t('givenEvent')} />
              <WorkflowJsonField {...common} at="/responses" label={t('givenResponses')} />
            </div>
          </details>
          <Group gap={8}>
            <Button type="submit" loading={act.isBusy}>
              {t('simulate')}
            </Button>
            <Button variant="default" onClick={clear}>
              {t('clear')}
            </Button>
          </Group>
          {act.error !== null && <ProblemAlert error={act.error} />}
        </form>
        {found && <Found steps={steps} found={found} />}
      </PagePanel>
    </div>
  )
}
