import { useQuery } from '@tanstack/react-query'
import type { EditedMessage, MessageChannelSpec } from './write/channel.ts'
import { isMessageBusy, isMessageValidated } from './write/standing.ts'

const POLL_MS = 2000
/** Of a campaign that waits for its date. */
const WAIT_MS = 5000

/** How often a message is looked at again; false: it changes when somebody asks for it. */
function pauseOf(channel: MessageChannelSpec, message: EditedMessage): number | false {
  const standing = channel.standing(message)
  if (isMessageBusy(standing)) return POLL_MS
  return isMessageValidated(standing) && channel.isCampaign(message) && WAIT_MS
}

/** The message as it is stored; read again while the service takes it on by itself. */
export function useMessage(channel: MessageChannelSpec, id: string) {
  return useQuery({
    queryKey: [channel.kind.name, id],
    queryFn: ({ signal }) => channel.kind.read(id, { signal }),
    refetchOnWindowFocus: false,
    refetchInterval: ({ state: { data } }) => data !== undefined && pauseOf(channel, data.data),
  })
}
