import {
  type Icon,
  IconArrowsSplit2,
  IconBell,
  IconBolt,
  IconClock,
  IconFlag,
  IconMail,
  IconMessage,
  IconPlayerStop,
} from '@tabler/icons-react'
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react'
import { memo } from 'react'
import { FormattedNumber } from '../../../components/FormattedNumber.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { WorkflowNodeChange } from '../model/difference.ts'
import type { WorkflowFormNode, WorkflowNodeOutput } from '../model/graph.ts'
import { type NodeGroup, WORKFLOW_NODE_KINDS, type WorkflowNodeKind } from '../model/kinds.ts'
import { summarizeNodeSettings } from '../model/node-summary.ts'
import { workflowTexts } from '../texts.ts'
import { nodeTypeLabel } from '../type-words.ts'
import styles from '../WorkflowsPage.module.css'
import { useNodeSummaryLabels } from './use-line-words.ts'

export interface GraphNodeData extends Record<string, unknown> {
  step: WorkflowFormNode
  outputs: readonly WorkflowNodeOutput[]
  flaw?: string | undefined
  count?: number | undefined
  change?: WorkflowNodeChange | undefined
  /** In the place of the line of settings. */
  note?: string | undefined
  isLit: boolean
}
export type GraphNodeType = Node<GraphNodeData, 'step'>

const GROUP_ICONS: Readonly<Record<NodeGroup, Icon>> = {
  send: IconMail,
  wait: IconClock,
  choose: IconArrowsSplit2,
  act: IconBolt,
}
const KIND_ICONS: Readonly<Record<NonNullable<WorkflowNodeKind['icon']>, Icon>> = {
  message: IconMessage,
  bell: IconBell,
  flag: IconFlag,
  stop: IconPlayerStop,
}

export function GraphNodeIcon({ type }: { type: string }) {
  const { group = 'act', icon } = WORKFLOW_NODE_KINDS[type] ?? {}
  const NodeIcon = icon ? KIND_ICONS[icon] : GROUP_ICONS[group]
  return <NodeIcon size={20} aria-hidden />
}

/** A node of the graph: icon, name, one line of what is set, how many runs are there. */
export const GraphNode = memo(function GraphNode({ data, selected, isConnectable }: NodeProps<GraphNodeType>) {
  const t = useTranslator(workflowTexts)
  const summaryLabels = useNodeSummaryLabels()
  const { step, outputs, flaw, count, change, note, isLit } = data
  const name = step.name || nodeTypeLabel(t, step.type)
  return (
    <div
      className={styles['node']}
      data-selected={selected || undefined}
      data-lit={isLit || undefined}
      data-change={change}
      data-entry={step.default === true || undefined}
    >
      <Handle type="target" position={Position.Top} isConnectable={isConnectable} />
      <GraphNodeIcon type={step.type} />
      <span className={styles['nodeWords']}>
        <bdi>{name}</bdi>
        <small>
          {change ? t(change) : note || summarizeNodeSettings(step, summaryLabels) || nodeTypeLabel(t, step.type)}
        </small>
      </span>
      {count !== undefined && count > 0 && (
        <span className={styles['count']}>
          <FormattedNumber value={count} />
        </span>
      )}
      {flaw !== undefined && <span className={styles['flaw']} title={flaw} role="img" aria-label={flaw} />}
      {outputs.map(({ at }, n) => (
        <Handle
          key={at}
          id={at}
          type="source"
          position={Position.Bottom}
          isConnectable={isConnectable}
          style={{ left: `${(100 * (n + 1)) / (outputs.length + 1)}%` }}
        />
      ))}
    </div>
  )
})
