import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api, data } from '../../../api/client.ts'
import { useText } from '../../../text/catalogue.ts'
import { useFormat } from '../../../text/format.ts'
import { type Found, LIVE_MS } from '../calls.ts'
import type { Step } from '../model/graph.ts'
import { workflowTexts } from '../texts.ts'

/** What is asked for what an experiment has found. */
export const experimentQuery = (workflow: string, node: string) => ({
  queryKey: ['workflow-experiment', workflow, node],
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<Found> =>
    data(
      api.GET('/scripting/workflows/{id}/nodes/{node}/experiment', {
        params: { path: { id: workflow, node } },
        signal,
      }),
    ),
  refetchInterval: LIVE_MS,
})

const best = ({ branches }: Found) => branches.toSorted((a, b) => b.probability - a.probability)[0]

/** One line for each node that is an experiment with visits: which branch is ahead, and how sure that is. */
export function useExperimentNotes(workflow: string, steps: readonly Step[]): ReadonlyMap<string, string> {
  const t = useText(workflowTexts)
  const format = useFormat()
  const ids = useMemo(() => steps.filter(({ type }) => type === 'experiment').map(({ id }) => id), [steps])
  const found = useQueries({
    queries: ids.map((node) => experimentQuery(workflow, node)),
    combine: (all) => JSON.stringify(all.map(({ data: one }) => one ?? null)),
  })
  return useMemo(() => {
    const answers = JSON.parse(found) as (Found | null)[]
    return new Map(
      answers.flatMap((answer, n) => {
        const ahead = answer && best(answer)
        if (!ahead || ahead.visits === 0) return []
        const words = { branch: ahead.id, share: format.percent(ahead.probability) }
        return [[ids[n] ?? '', t(answer.winner ? 'hasWon' : 'isAhead', words)] as const]
      }),
    )
  }, [found, ids, t, format])
}
