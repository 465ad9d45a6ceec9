import { useQuery } from '@tanstack/react-query'
import type { Channel } from './write/channel.ts'
import { isBusy } from './write/standing.ts'

const POLL_MS = 2000

/** The message as it is stored; read again while the service takes it on by itself. */
export function useMessage(channel: Channel, id: string) {
  return useQuery({
    queryKey: [channel.kind.name, id],
    queryFn: ({ signal }) => channel.kind.read(id, { signal }),
    refetchOnWindowFocus: false,
    refetchInterval: ({ state: { data } }) => (data && isBusy(channel.standing(data.data)) ? POLL_MS : false),
  })
}
