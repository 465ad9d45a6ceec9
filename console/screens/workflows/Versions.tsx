import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { api, data } from '../../api/client.ts'
import { Panel } from '../../components/layout/Panel.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { Skeleton } from '../../components/layout/Skeleton.tsx'
import { Time } from '../../components/Time.tsx'
import { useText } from '../../text/catalogue.ts'
import { type Definition, pathTo } from './calls.ts'
import { Graph } from './canvas/Graph.tsx'
import { differences } from './model/difference.ts'
import type { Step } from './model/graph.ts'
import { workflowTexts } from './texts.ts'
import styles from './Workflows.module.css'

const route = getRouteApi('/workflows/$id')

const stepsOf = ({ nodes }: { nodes: unknown }): Step[] => nodes as Step[]

/** What changed from a version to the one of now, on the graph: nodes that are gone stand beside those that are. */
function Compared({ workflow, version }: { workflow: Definition; version: number }) {
  const id = String(workflow.id)
  const old = useQuery({
    queryKey: ['workflow-version', id, version],
    queryFn: ({ signal }) =>
      data(
        api.GET('/scripting/workflows/{id}/versions/{version}', {
          params: { path: { id, version: String(version) } },
          signal,
        }),
      ),
  })
  const compared = useMemo(() => {
    if (!old.data) return null
    const [before, after] = [stepsOf(old.data), stepsOf(workflow)]
    const changes = differences(before, after)
    return { changes, steps: [...after, ...before.filter((step) => changes.get(step.id) === 'removed')] }
  }, [old.data, workflow])
  if (old.error) return <Problem error={old.error} onRetry={() => void old.refetch()} />
  return compared ? <Graph key={version} {...compared} /> : <Skeleton />
}

/** The versions that are kept, each compared with the one of now. */
export function Versions({ workflow }: { workflow: Definition }) {
  const t = useText(workflowTexts)
  const id = String(workflow.id)
  const versions = useQuery({
    queryKey: ['workflow-versions', id, workflow.version],
    queryFn: ({ signal }) => data(api.GET('/scripting/workflows/{id}/versions', { ...pathTo(id), signal })),
  })
  const { version = versions.data?.at(-2)?.version ?? workflow.version } = route.useSearch()
  if (versions.error) return <Problem error={versions.error} onRetry={() => void versions.refetch()} />
  if (!versions.data) return <Skeleton />
  return (
    <div className={styles['editor']}>
      <Compared workflow={workflow} version={version} />
      <Panel title={t('versions')}>
        <p>{t('versionsWhy')}</p>
        <ul className={styles['effects']}>
          {versions.data.toReversed().map((one) => (
            <li key={one.version}>
              <Link
                to="/workflows/$id"
                params={{ id }}
                search={{ tab: 'versions', version: one.version }}
                aria-current={one.version === version || undefined}
              >
                {t('versionOf', { version: String(one.version) })}
              </Link>{' '}
              <Time at={one.date} />
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  )
}
