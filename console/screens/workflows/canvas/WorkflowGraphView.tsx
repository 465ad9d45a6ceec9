import { useMediaQuery } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import { FormattedNumber } from '../../../components/FormattedNumber.tsx'
import { LoadingSkeleton } from '../../../components/layout/LoadingSkeleton.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { listNodeOutputs, type WorkflowFormNode } from '../model/graph.ts'
import { summarizeNodeSettings } from '../model/node-summary.ts'
import { workflowTexts } from '../texts.ts'
import { nodeOutputLabel, nodeTypeLabel } from '../type-words.ts'
import styles from '../WorkflowsPage.module.css'
import type { WorkflowGraphProps } from './graph-props.ts'
import { useNodeSummaryLabels } from './use-line-words.ts'

const LazyCanvas = lazy(() => import('./WorkflowCanvas.tsx'))

function NodeOutputLinks({ step, steps }: { step: WorkflowFormNode; steps: readonly WorkflowFormNode[] }) {
  const t = useTranslator(workflowTexts)
  const connectedOutputs = listNodeOutputs(step).filter(({ target }) => target !== null)
  if (connectedOutputs.length === 0) return null
  return (
    <small>
      {connectedOutputs
        .map(
          ({ label, target }) =>
            `${nodeOutputLabel(t, label)} → ${steps.find(({ id }) => id === target)?.name || target}`,
        )
        .join(' · ')}
    </small>
  )
}

/** The nodes as a list to read: on a phone, in the place of the drawing. */
function StepList({ steps, flaws, statistics, changes, notes, path, selected, onSelect }: WorkflowGraphProps) {
  const t = useTranslator(workflowTexts)
  const summaryLabels = useNodeSummaryLabels()
  return (
    <ol className={styles['steps']}>
      {steps.map((step) => {
        const count = statistics?.find(({ id }) => id === step.id)?.current ?? 0
        const nodeChange = changes?.get(step.id)
        return (
          <li
            key={step.id}
            data-lit={path?.includes(step.id) || undefined}
            data-selected={selected?.has(step.id) || undefined}
          >
            <button type="button" onClick={() => onSelect?.([step.id])} disabled={!onSelect}>
              <bdi>{step.name || nodeTypeLabel(t, step.type)}</bdi>
              {count > 0 && (
                <span className={styles['count']}>
                  <FormattedNumber value={count} />
                </span>
              )}
            </button>
            <small>
              {[
                nodeTypeLabel(t, step.type),
                notes?.get(step.id) || summarizeNodeSettings(step, summaryLabels),
                nodeChange && t(nodeChange),
              ]
                .filter(Boolean)
                .join(' · ')}
            </small>
            <NodeOutputLinks step={step} steps={steps} />
            {flaws?.has(step.id) && <small className={styles['fault']}>{flaws.get(step.id)}</small>}
          </li>
        )
      })}
    </ol>
  )
}

/** The graph of a workflow: drawn where there is room, else its nodes in a list. */
export function WorkflowGraphView(props: WorkflowGraphProps) {
  const isWide = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false })
  if (!isWide) return <StepList {...props} />
  return (
    <Suspense fallback={<LoadingSkeleton lines={[60, 40, 70]} />}>
      <LazyCanvas {...props} />
    </Suspense>
  )
}
