import { FormattedTime } from '../../../components/FormattedTime.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { ApiWorkflowSimulation } from '../calls.ts'
import type { WorkflowFormNode } from '../model/graph.ts'
import { workflowTexts } from '../texts.ts'
import { nodeOutcomeLabel, nodeTypeLabel } from '../type-words.ts'
import styles from '../WorkflowsPage.module.css'

/** Name of a node, if it still exists. */
export const findNodeName = (steps: readonly WorkflowFormNode[], node: string): string =>
  steps.find(({ id }) => id === node)?.name || node

/** The nodes that a run came by, that at which it stands included. */
export function listTraceNodes(trace: readonly { node: string }[], node: string | null | undefined): string[] {
  const visitedNodes = trace.map((traceEntry) => traceEntry.node)
  return typeof node !== 'string' || visitedNodes.at(-1) === node ? visitedNodes : [...visitedNodes, node]
}

interface Props {
  steps: readonly WorkflowFormNode[]
  trace: NonNullable<ApiWorkflowSimulation['trace']>
}

/** Node by node, where a run went. */
export function TraceList({ steps, trace }: Props) {
  const t = useTranslator(workflowTexts)
  return (
    <ol className={styles['effects']} aria-label={t('path')}>
      {trace.map(({ seq, node, type, enter, outcome }) => (
        <li key={seq}>
          <strong>
            <bdi>{findNodeName(steps, node)}</bdi>
          </strong>{' '}
          <small>{`${nodeTypeLabel(t, type)} · ${nodeOutcomeLabel(t, outcome)}`}</small>{' '}
          <FormattedTime at={enter} as="moment" />
        </li>
      ))}
    </ol>
  )
}
