import { useQuery } from '@tanstack/react-query'
import { apiClient, readAnswer, readVersionedAnswer } from '../../api/client.ts'
import type { ApiAnswer, ApiRequestBody } from '../../api/shapes.ts'
import type { StoredDocument } from '../../components/form/use-form.ts'
import type { WorkflowFormNode } from './model/graph.ts'

export type ApiWorkflow = ApiAnswer<'/scripting/workflows/{id}', 'get'>
export type ListedApiWorkflow = ApiAnswer<'/scripting/workflows', 'get'>[number]
export type ApiWorkflowFlaw = ApiAnswer<'/scripting/workflows/{id}/flaws', 'get'>[number]
export type ApiWorkflowStatistics = ApiAnswer<'/scripting/workflows/{id}/statistics', 'get'>
export type ApiWorkflowRun = ApiAnswer<'/scripting/workflows/{id}/runs', 'get'>[number]
export type ApiWorkflowExperiment = ApiAnswer<'/scripting/workflows/{id}/nodes/{node}/experiment', 'get'>
export type ApiWorkflowSimulation = ApiAnswer<'/scripting/workflows/{id}/simulation', 'post'>

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

export const workflowPathParams = (id: string) => ({ params: { path: { id } } })

export const toWorkflowForm = ({
  name,
  description,
  nodes,
  listeners,
  tasks,
  capping,
  settings,
}: ApiWorkflow): WorkflowForm => ({
  ...{ name, description, listeners, tasks, capping, settings },
  nodes: nodes as unknown as WorkflowFormNode[],
})

export const readStoredWorkflow = (id: string, signal?: AbortSignal): Promise<StoredDocument<ApiWorkflow>> =>
  readVersionedAnswer(
    apiClient.GET('/scripting/workflows/{id}', { ...workflowPathParams(id), ...(signal && { signal }) }),
  )

export const writeStoredWorkflow = (
  id: string,
  draft: WorkflowForm,
  etag: string | null,
): Promise<StoredDocument<ApiWorkflow>> =>
  readVersionedAnswer(
    apiClient.PUT('/scripting/workflows/{id}', {
      ...workflowPathParams(id),
      headers: etag === null ? {} : { 'if-match': etag },
      body: draft as unknown as ApiRequestBody<'/scripting/workflows/{id}', 'put'>,
    }),
  )

export function useWorkflowFlaws(id: string, version: number) {
  return useQuery({
    queryKey: ['workflow-flaws', id, version],
    queryFn: ({ signal }) =>
      readAnswer(apiClient.GET('/scripting/workflows/{id}/flaws', { ...workflowPathParams(id), signal })),
  })
}

export function useWorkflowStatistics(id: string) {
  return useQuery({
    queryKey: ['workflow-statistics', id],
    queryFn: ({ signal }) =>
      readAnswer(apiClient.GET('/scripting/workflows/{id}/statistics', { ...workflowPathParams(id), signal })),
    refetchInterval: WORKFLOW_REFETCH_MS,
  })
}
