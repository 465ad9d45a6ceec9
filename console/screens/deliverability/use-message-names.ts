import { useQuery } from '@tanstack/react-query'
import { apiClient } from '../../api/client.ts'

/** Messages whose names are read; the others show their ids. */
const MAX_NAMED_ACTIONS = 20

interface NamedMessages {
  actions: ReadonlyMap<string | number, string>
  contacts: ReadonlyMap<string, string>
}

/** Names of the messages and addresses of the contacts that a list shows by their ids. */
export function useMessageNames(
  rows: readonly { action: string | number; contact: string | null }[],
): NamedMessages | undefined {
  const actionIds = [...new Set(rows.map(({ action }) => action))].slice(0, MAX_NAMED_ACTIONS)
  const contactIds = [...new Set(rows.flatMap(({ contact }) => contact ?? []))]
  return useQuery({
    queryKey: ['messageNames', actionIds, contactIds],
    queryFn: async ({ signal }): Promise<NamedMessages> => {
      const [actions, contacts] = await Promise.all([
        Promise.all(
          actionIds.map(async (id) => {
            // Ids of RCS messages are numbers.
            const params = { path: { id: String(id) }, signal }
            const read = typeof id === 'number' ? apiClient.getRcsAction(params) : apiClient.getAction(params)
            const action = await read.catch(() => null)
            return [id, action?.name ?? ''] as const
          }),
        ),
        contactIds.length === 0
          ? []
          : apiClient.resolveTargets({ body: contactIds.map((value) => ({ type: 'id', value })), signal }),
      ])
      return {
        actions: new Map(actions),
        contacts: new Map(
          [contacts].flat().flatMap((found) => ('unicity' in found ? [[found.id, found.unicity ?? '']] : [])),
        ),
      }
    },
    enabled: rows.length > 0,
    staleTime: 60_000,
  }).data
}
