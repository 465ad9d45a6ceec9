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
import { Num } from '../../../components/Num.tsx'
import { useText } from '../../../text/catalogue.ts'
import type { Change } from '../model/difference.ts'
import type { Output, Step } from '../model/graph.ts'
import { type Group, KINDS, settingsLine } from '../model/kinds.ts'
import { workflowTexts } from '../texts.ts'
import { typeWords } from '../type-words.ts'
import styles from '../Workflows.module.css'
import { useLineWords } from './use-line-words.ts'

export interface StepData extends Record<string, unknown> {
  step: Step
  outputs: readonly Output[]
  flaw?: string | undefined
  count?: number | undefined
  change?: Change | undefined
  /** In the place of the line of settings. */
  note?: string | undefined
  isLit: boolean
}
export type StepNodeType = Node<StepData, 'step'>

const GROUP_ICONS: Readonly<Record<Group, Icon>> = {
  send: IconMail,
  wait: IconClock,
  choose: IconArrowsSplit2,
  act: IconBolt,
}
const ICONS: Readonly<Record<string, Icon>> = {
  sendSms: IconMessage,
  sms: IconMessage,
  sendpushapp: IconBell,
  'np6.notification/execution': IconBell,
  goal: IconFlag,
  terminal: IconPlayerStop,
}

export function StepIcon({ type }: { type: string }) {
  const Shape = ICONS[type] ?? GROUP_ICONS[KINDS[type]?.group ?? 'act']
  return <Shape size={20} aria-hidden />
}

/** A node of the graph: icon, name, one line of what is set, how many runs are there. */
export const StepNode = memo(function StepNode({ data, selected, isConnectable }: NodeProps<StepNodeType>) {
  const t = useText(workflowTexts)
  const words = useLineWords()
  const { step, outputs, flaw, count, change, note, isLit } = data
  const name = step.name || typeWords(t, step.type)
  return (
    <div
      className={styles['node']}
      data-selected={selected || undefined}
      data-lit={isLit || undefined}
      data-change={change}
      data-entry={step.default === true || undefined}
    >
      <Handle type="target" position={Position.Top} isConnectable={isConnectable} />
      <StepIcon type={step.type} />
      <span className={styles['nodeWords']}>
        <bdi>{name}</bdi>
        <small>{change ? t(change) : note || settingsLine(step, words) || typeWords(t, step.type)}</small>
      </span>
      {count !== undefined && count > 0 && (
        <span className={styles['count']}>
          <Num value={count} />
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
