import { useMediaQuery } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import { Skeleton } from '../../../components/layout/Skeleton.tsx'
import { Num } from '../../../components/Num.tsx'
import { useText } from '../../../text/catalogue.ts'
import { outputsOf, type Step } from '../model/graph.ts'
import { settingsLine } from '../model/kinds.ts'
import { workflowTexts } from '../texts.ts'
import { outputWords, typeWords } from '../type-words.ts'
import styles from '../Workflows.module.css'
import type { GraphProps } from './Canvas.tsx'
import { useLineWords } from './use-line-words.ts'

const Canvas = lazy(() => import('./Canvas.tsx'))

function Ways({ step, steps }: { step: Step; steps: readonly Step[] }) {
  const t = useText(workflowTexts)
  const ways = outputsOf(step).filter(({ target }) => target !== null)
  if (ways.length === 0) return null
  return (
    <small>
      {ways
        .map(
          ({ label, target }) => `${outputWords(t, label)} → ${steps.find(({ id }) => id === target)?.name || target}`,
        )
        .join(' · ')}
    </small>
  )
}

/** The nodes as a list to read: on a phone, in the place of the drawing. */
function StepList({ steps, flaws, statistics, changes, notes, path, selected, onSelect }: GraphProps) {
  const t = useText(workflowTexts)
  const words = useLineWords()
  return (
    <ol className={styles['steps']}>
      {steps.map((step) => {
        const count = statistics?.find(({ id }) => id === step.id)?.current ?? 0
        const change = changes?.get(step.id)
        return (
          <li
            key={step.id}
            data-lit={path?.includes(step.id) || undefined}
            data-selected={selected?.has(step.id) || undefined}
          >
            <button type="button" onClick={() => onSelect?.([step.id])} disabled={!onSelect}>
              <bdi>{step.name || typeWords(t, step.type)}</bdi>
              {count > 0 && (
                <span className={styles['count']}>
                  <Num value={count} />
                </span>
              )}
            </button>
            <small>
              {[typeWords(t, step.type), notes?.get(step.id) || settingsLine(step, words), change && t(change)]
                .filter(Boolean)
                .join(' · ')}
            </small>
            <Ways step={step} steps={steps} />
            {flaws?.has(step.id) && <small className={styles['fault']}>{flaws.get(step.id)}</small>}
          </li>
        )
      })}
    </ol>
  )
}

/** The graph of a workflow: drawn where there is room, else its nodes in a list. */
export function Graph(props: GraphProps) {
  const isWide = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false })
  if (!isWide) return <StepList {...props} />
  return (
    <Suspense fallback={<Skeleton lines={[60, 40, 70]} />}>
      <Canvas {...props} />
    </Suspense>
  )
}
