import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'
import type { Answer, Body } from '../../api/shapes.ts'

export type Approval = Answer<'/approvals', 'get'>[number]
export type AskedObject = Pick<Body<'/approvals', 'post'>, 'type' | 'id'>

const KINDS = ['action', 'rcs', 'notification', 'workflow'] as const

const isKind = (type: string): type is AskedObject['type'] => KINDS.some((kind) => kind === type)

/** `action:000AB1` of an address; undefined where none is named. */
export function readAsked(text: string | undefined): AskedObject | undefined {
  const [type = '', id = ''] = text?.split(':') ?? []
  return isKind(type) ? { type, id } : undefined
}

/** Asks for the word of another person. */
export const ask = (object: AskedObject, comment: string | null) =>
  data(api.POST('/approvals', { body: { ...object, comment } }))

/** After whatever may have changed an approval, also a refused decision: that it is stale shows then. */
export function useReadAnew(): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    await Promise.all(['approvals', 'overview'].map((name) => queries.invalidateQueries({ queryKey: [name] })))
  }
}

/** What can be asked for, by a part of its name. */
export function useAskable(q: string) {
  return useQuery({
    queryKey: ['askable', q],
    queryFn: async ({ signal }) => {
      const found = await data(api.GET('/search', { params: { query: { q, limit: 50 } }, signal }))
      return found.filter(({ type }) => isKind(type))
    },
    enabled: q !== '',
  })
}

/** What an object is called. */
export function useObjectName({ type, id }: AskedObject) {
  return useQuery({
    queryKey: ['approvable', type, id],
    queryFn: async ({ signal }): Promise<string> => {
      const params = { path: { id: String(id) } }
      switch (type) {
        case 'action':
          return (await data(api.GET('/actions/{id}', { params, signal }))).name ?? ''
        case 'rcs':
          return (await data(api.GET('/channel/rcs/actions/{id}', { params, signal }))).name ?? ''
        case 'notification':
          return (await data(api.GET('/notifications/{id}', { params, signal }))).name ?? ''
        case 'workflow':
          return (await data(api.GET('/scripting/workflows/{id}', { params, signal }))).name ?? ''
      }
    },
  })
}
