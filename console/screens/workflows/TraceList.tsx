import { Time } from '../../parts/Time.tsx'
import type { Simulated } from './calls.ts'
import styles from './Workflows.module.css'

/** Node by node, where a run went. */
export function TraceList({ trace }: { trace: NonNullable<Simulated['trace']> }) {
  return (
    <ol className={styles['effects']}>
      {trace.map(({ seq, node, type, enter, outcome }) => (
        <li key={seq}>
          <strong>{node}</strong> <small>{`${type} · ${outcome}`}</small> <Time at={enter} as="date" />
        </li>
      ))}
    </ol>
  )
}
