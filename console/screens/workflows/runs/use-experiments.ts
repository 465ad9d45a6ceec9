import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { apiClient } from '../../../api/client.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { useLocaleFormat } from '../../../text/format.ts'
import { type ApiWorkflowExperiment, WORKFLOW_REFETCH_MS } from '../calls.ts'
import type { WorkflowFormNode } from '../model/graph.ts'
import { WORKFLOW_NODE_KINDS } from '../model/kinds.ts'
import { workflowTexts } from '../texts.ts'

/** Query for the results of an experiment. */
export const workflowExperimentQuery = (workflow: string, node: string) => ({
  queryKey: ['workflow-experiment', workflow, node],
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<ApiWorkflowExperiment> =>
    apiClient.getWorkflowNodeExperiment({ path: { id: workflow, node }, signal }),
  refetchInterval: WORKFLOW_REFETCH_MS,
})

const findBestBranch = ({ branches }: ApiWorkflowExperiment) =>
  branches.toSorted((a, b) => b.probability - a.probability)[0]

/** One line for each node that is an experiment with visits: which branch is ahead, and how sure that is. */
export function useExperimentNotes(workflow: string, steps: readonly WorkflowFormNode[]): ReadonlyMap<string, string> {
  const t = useTranslator(workflowTexts)
  const format = useLocaleFormat()
  const experimentIds = useMemo(
    () => steps.filter(({ type }) => WORKFLOW_NODE_KINDS[type]?.isExperiment).map(({ id }) => id),
    [steps],
  )
  const serializedAnswers = useQueries({
    queries: experimentIds.map((node) => workflowExperimentQuery(workflow, node)),
    combine: (queryResults) => JSON.stringify(queryResults.map(({ data: experimentData }) => experimentData ?? null)),
  })
  return useMemo(() => {
    const answers = JSON.parse(serializedAnswers) as (ApiWorkflowExperiment | null)[]
    return new Map(
      answers.flatMap((answer, n) => {
        const leadingBranch = answer && findBestBranch(answer)
        if (!leadingBranch || leadingBranch.visits === 0) return []
        const noteValues = { branch: leadingBranch.id, share: format.percent(leadingBranch.probability) }
        return [[experimentIds[n] ?? '', t(answer.winner ? 'hasWon' : 'isAhead', noteValues)] as const]
      }),
    )
  }, [serializedAnswers, experimentIds, t, format])
}
