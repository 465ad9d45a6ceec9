import { Time } from '../../parts/Time.tsx'
import { useText } from '../../text/catalogue.ts'
import type { Simulated } from './calls.ts'
import type { Step } from './model/graph.ts'
import { workflowTexts } from './texts.ts'
import { typeWords } from './type-words.ts'
import styles from './Workflows.module.css'

/** What a node is called, where it still is. */
export const nodeName = (steps: readonly Step[], node: string): string =>
  steps.find(({ id }) => id === node)?.name || node

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
          <small>{`${typeWords(t, type)} · ${outcome}`}</small> <Time at={enter} as="date" />
        </li>
      ))}
    </ol>
  )
}
