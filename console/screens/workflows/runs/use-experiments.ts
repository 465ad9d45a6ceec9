import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { apiClient, readAnswer } from '../../../api/client.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { useLocaleFormat } from '../../../text/format.ts'
import { type ApiWorkflowExperiment, WORKFLOW_REFETCH_MS } from '../calls.ts'
import type { WorkflowFormNode } from '../model/graph.ts'
import { workflowTexts } from '../texts.ts'

/** What is asked for what an experiment has found. */
export const workflowExperimentQuery = (workflow: string, node: string) => ({
  queryKey: ['workflow-experiment', workflow, node],
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<ApiWorkflowExperiment> =>
    readAnswer(
      apiClient.GET('/scripting/workflows/{id}/nodes/{node}/experiment', {
        params: { path: { id: workflow, node } },
        signal,
      }),
    ),
  refetchInterval: WORKFLOW_REFETCH_MS,
})

const best = ({ branches }: ApiWorkflowExperiment) => branches.toSorted((a, b) => b.probability - a.probability)[0]

/** One line for each node that is an experiment with visits: which branch is ahead, and how sure that is. */
export function useExperimentNotes(workflow: string, steps: readonly WorkflowFormNode[]): ReadonlyMap<string, string> {
  const t = useTranslator(workflowTexts)
  const format = useLocaleFormat()
  const ids = useMemo(() => steps.filter(({ type }) => type === 'experiment').map(({ id }) => id), [steps])
  const found = useQueries({
    queries: ids.map((node) => workflowExperimentQuery(workflow, node)),
    combine: (all) => JSON.stringify(all.map(({ data: one }) => one ?? null)),
  })
  return useMemo(() => {
    const answers = JSON.parse(found) as (ApiWorkflowExperiment | null)[]
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
