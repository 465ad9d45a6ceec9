import { useQuery } from '@tanstack/react-query'
import type { Channel, Message } from './write/channel.ts'
import { isBusy, isValidated } from './write/standing.ts'

const POLL_MS = 2000
/** Of a campaign that waits for its date. */
const WAIT_MS = 5000

/** How often a message is looked at again; false: it changes when somebody asks for it. */
function pauseOf(channel: Channel, message: Message): number | false {
  const standing = channel.standing(message)
  if (isBusy(standing)) return POLL_MS
  return isValidated(standing) && channel.isCampaign(message) && WAIT_MS
}

/** The message as it is stored; read again while the service takes it on by itself. */
export function useMessage(channel: Channel, id: string) {
  return useQuery({
    queryKey: [channel.kind.name, id],
    queryFn: ({ signal }) => channel.kind.read(id, { signal }),
    refetchOnWindowFocus: false,
    refetchInterval: ({ state: { data } }) => data !== undefined && pauseOf(channel, data.data),
  })
}
