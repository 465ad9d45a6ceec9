import { useQuery } from '@tanstack/react-query'
import { api, data, versioned } from '../../api/client.ts'
import type { Answer, Body } from '../../api/shapes.ts'
import type { Stored } from '../../components/form/use-form.ts'
import type { Step } from './model/graph.ts'

export type Definition = Answer<'/scripting/workflows/{id}', 'get'>
export type Listed = Answer<'/scripting/workflows', 'get'>[number]
export type Flaw = Answer<'/scripting/workflows/{id}/flaws', 'get'>[number]
export type Statistics = Answer<'/scripting/workflows/{id}/statistics', 'get'>
export type Run = Answer<'/scripting/workflows/{id}/runs', 'get'>[number]
export type Found = Answer<'/scripting/workflows/{id}/nodes/{node}/experiment', 'get'>
export type Simulated = Answer<'/scripting/workflows/{id}/simulation', 'post'>

/** What of a workflow the editor writes. */
export interface Draft {
  name: string
  description: string | null
  nodes: Step[]
  listeners: unknown[]
  tasks: unknown[]
  capping: unknown[]
  settings: Definition['settings']
}

/** Figures of runs are asked for so often, while the page is seen. */
export const LIVE_MS = 10_000

export const pathTo = (id: string) => ({ params: { path: { id } } })

export const draftOf = ({ name, description, nodes, listeners, tasks, capping, settings }: Definition): Draft => ({
  ...{ name, description, listeners, tasks, capping, settings },
  nodes: nodes as unknown as Step[],
})

export const readWorkflow = (id: string, signal?: AbortSignal): Promise<Stored<Definition>> =>
  versioned(api.GET('/scripting/workflows/{id}', { ...pathTo(id), ...(signal && { signal }) }))

export const writeWorkflow = (id: string, draft: Draft, etag: string | null): Promise<Stored<Definition>> =>
  versioned(
    api.PUT('/scripting/workflows/{id}', {
      ...pathTo(id),
      headers: etag === null ? {} : { 'if-match': etag },
      body: draft as unknown as Body<'/scripting/workflows/{id}', 'put'>,
    }),
  )

export function useFlaws(id: string, version: number) {
  return useQuery({
    queryKey: ['workflow-flaws', id, version],
    queryFn: ({ signal }) => data(api.GET('/scripting/workflows/{id}/flaws', { ...pathTo(id), signal })),
  })
}

export function useStatistics(id: string) {
  return useQuery({
    queryKey: ['workflow-statistics', id],
    queryFn: ({ signal }) => data(api.GET('/scripting/workflows/{id}/statistics', { ...pathTo(id), signal })),
    refetchInterval: LIVE_MS,
  })
}
