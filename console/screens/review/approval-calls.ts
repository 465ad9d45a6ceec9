import { useQuery, useQueryClient } from '@tanstack/react-query'
import { apiClient, readAnswer } from '../../api/client.ts'
import type { ApiAnswer, ApiRequestBody } from '../../api/shapes.ts'

export type ApiApproval = ApiAnswer<'/approvals', 'get'>[number]
export type ApprovalObject = Pick<ApiRequestBody<'/approvals', 'post'>, 'type' | 'id'>

const OBJECT_KINDS = ['action', 'rcs', 'notification', 'workflow'] as const

const isObjectKind = (type: string): type is ApprovalObject['type'] => OBJECT_KINDS.some((kind) => kind === type)

/** `action:000AB1` of an address; undefined where none is named. */
export function parseApprovalObject(text: string | undefined): ApprovalObject | undefined {
  const [type = '', id = ''] = text?.split(':') ?? []
  return isObjectKind(type) ? { type, id } : undefined
}

/** Asks for the word of another person. */
export const submitApprovalRequest = (object: ApprovalObject, comment: string | null) =>
  readAnswer(apiClient.POST('/approvals', { body: { ...object, comment } }))

/** After whatever may have changed an approval, also a refused decision: that it is stale shows then. */
export function useReloadApprovals(): () => Promise<void> {
  const queryClient = useQueryClient()
  return async () => {
    await Promise.all(['approvals', 'overview'].map((name) => queryClient.invalidateQueries({ queryKey: [name] })))
  }
}

/** Objects that can be submitted for approval, by a part of their name. */
export function useApprovableObjects(q: string) {
  return useQuery({
    queryKey: ['askable', q],
    queryFn: async ({ signal }) => {
      const searchResults = await readAnswer(apiClient.GET('/search', { params: { query: { q, limit: 50 } }, signal }))
      return searchResults.filter(({ type }) => isObjectKind(type))
    },
    enabled: q !== '',
  })
}

/** Name of an object. */
export function useObjectName({ type, id }: ApprovalObject) {
  return useQuery({
    queryKey: ['approvable', type, id],
    queryFn: async ({ signal }): Promise<string> => {
      const params = { path: { id: String(id) } }
      switch (type) {
        case 'action':
          return (await readAnswer(apiClient.GET('/actions/{id}', { params, signal }))).name ?? ''
        case 'rcs':
          return (await readAnswer(apiClient.GET('/channel/rcs/actions/{id}', { params, signal }))).name ?? ''
        case 'notification':
          return (await readAnswer(apiClient.GET('/notifications/{id}', { params, signal }))).name ?? ''
        case 'workflow':
          return (await readAnswer(apiClient.GET('/scripting/workflows/{id}', { params, signal }))).name ?? ''
      }
    },
  })
}
