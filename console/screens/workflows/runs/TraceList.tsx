import { Time } from '../../../components/Time.tsx'
import { useText } from '../../../text/catalogue.ts'
import type { Simulated } from '../calls.ts'
import type { Step } from '../model/graph.ts'
import { workflowTexts } from '../texts.ts'
import { outcomeWords, typeWords } from '../type-words.ts'
import styles from '../Workflows.module.css'

/** What a node is called, where it still is. */
export const nodeName = (steps: readonly Step[], node: string): string =>
  steps.find(({ id }) => id === node)?.name || node

/** The nodes that a run came by, that at which it stands included. */
export function pathOf(trace: readonly { node: string }[], node: string | null | undefined): string[] {
  const left = trace.map((one) => one.node)
  return typeof node !== 'string' || left.at(-1) === node ? left : [...left, node]
}

interface Props {
  steps: readonly Step[]
  trace: NonNullable<Simulated['trace']>
}

/** Node by node, where a run went. */
export function TraceList({ steps, trace }: Props) {
  const t = useText(workflowTexts)
  return (
    <ol className={styles['effects']} aria-label={t('path')}>
      {trace.map(({ seq, node, type, enter, outcome }) => (
        <li key={seq}>
          <strong>
            <bdi>{nodeName(steps, node)}</bdi>
          </strong>{' '}
          <small>{`${typeWords(t, type)} · ${outcomeWords(t, outcome)}`}</small> <Time at={enter} as="moment" />
        </li>
      ))}
    </ol>
  )
}
