import { useQuery, useQueryClient } from '@tanstack/react-query'
import { apiClient } from '../../api/client.ts'
import type { ApiAnswer, ApiRequestBody } from '../../api/shapes.ts'

export type ApiApproval = ApiAnswer<'listApprovals'>[number]
export type ApprovalObject = Pick<ApiRequestBody<'createApproval'>, 'type' | 'id'>

const OBJECT_KINDS = ['action', 'rcs', 'notification', 'workflow'] as const

const isObjectKind = (type: string): type is ApprovalObject['type'] => OBJECT_KINDS.some((kind) => kind === type)

/** `action:000AB1` of an address; undefined where none is named. */
export function parseApprovalObject(text: string | undefined): ApprovalObject | undefined {
  const [type = '', id = ''] = text?.split(':') ?? []
  return isObjectKind(type) ? { type, id } : undefined
}

/** Asks for the word of another person. */
export const submitApprovalRequest = (object: ApprovalObject, comment: string | null) =>
  apiClient.createApproval({ body: { ...object, comment } })

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
      const searchResults = await apiClient.search({ query: { q, limit: 50 }, signal })
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
          return (await apiClient.getAction({ ...params, signal })).name ?? ''
        case 'rcs':
          return (await apiClient.getRcsAction({ ...params, signal })).name ?? ''
        case 'notification':
          return (await apiClient.getNotification({ ...params, signal })).name ?? ''
        case 'workflow':
          return (await apiClient.getWorkflow({ ...params, signal })).name ?? ''
      }
    },
  })
}
