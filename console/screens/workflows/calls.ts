import { useQuery } from '@tanstack/react-query'
import { apiClient, readVersionedAnswer } from '../../api/client.ts'
import type { ApiAnswer, ApiRequestBody } from '../../api/shapes.ts'
import type { StoredDocument } from '../../components/form/use-form.ts'
import type { WorkflowFormNode } from './model/graph.ts'

export type ApiWorkflow = ApiAnswer<'getWorkflow'>
export type ListedApiWorkflow = ApiAnswer<'listWorkflows'>[number]
export type ApiWorkflowFlaw = ApiAnswer<'listWorkflowFlaws'>[number]
export type ApiWorkflowStatistics = ApiAnswer<'getWorkflowStatistics'>
export type ApiWorkflowRun = ApiAnswer<'listWorkflowRuns'>[number]
export type ApiWorkflowExperiment = ApiAnswer<'getWorkflowNodeExperiment'>
export type ApiWorkflowSimulation = ApiAnswer<'simulateWorkflow'>

/** Editable members of a workflow. */
export interface WorkflowForm {
  name: string
  description: string | null
  nodes: WorkflowFormNode[]
  listeners: unknown[]
  tasks: unknown[]
  capping: unknown[]
  settings: ApiWorkflow['settings']
}

/** Figures of runs are asked for so often, while the page is seen. */
export const WORKFLOW_REFETCH_MS = 10_000

export const workflowPathParams = (id: string) => ({ path: { id } })

export const toWorkflowForm = ({
  name,
  description,
  nodes,
  listeners,
  tasks,
  capping,
  settings,
}: ApiWorkflow): WorkflowForm => ({
  name,
  description,
  listeners,
  tasks,
  capping,
  settings,
  nodes: nodes as unknown as WorkflowFormNode[],
})

export const readStoredWorkflow = (id: string, signal?: AbortSignal): Promise<StoredDocument<ApiWorkflow>> =>
  readVersionedAnswer(apiClient.getWorkflow, { ...workflowPathParams(id), ...(signal && { signal }) })

export const writeStoredWorkflow = (
  id: string,
  draft: WorkflowForm,
  etag: string | null,
): Promise<StoredDocument<ApiWorkflow>> =>
  readVersionedAnswer(apiClient.updateWorkflow, {
    ...workflowPathParams(id),
    headers: etag === null ? {} : { 'if-match': etag },
    body: draft as unknown as ApiRequestBody<'updateWorkflow'>,
  })

export function useWorkflowFlaws(id: string, version: number) {
  return useQuery({
    queryKey: ['workflow-flaws', id, version],
    queryFn: ({ signal }) => apiClient.listWorkflowFlaws({ ...workflowPathParams(id), signal }),
  })
}

export function useWorkflowStatistics(id: string) {
  return useQuery({
    queryKey: ['workflow-statistics', id],
    queryFn: ({ signal }) => apiClient.getWorkflowStatistics({ ...workflowPathParams(id), signal }),
    refetchInterval: WORKFLOW_REFETCH_MS,
  })
}
