import { useQuery } from '@tanstack/react-query'
import type { EditedMessage, MessageChannelSpec } from './write/channel.ts'
import { isMessageBusy, isMessageValidated } from './write/standing.ts'

const POLL_INTERVAL_MS = 2000
/** Polling interval of a campaign that waits for its date. */
const SCHEDULED_INTERVAL_MS = 5000

/** Returns the polling interval of a message; false if it only changes through user actions. */
function findPollInterval(channel: MessageChannelSpec, message: EditedMessage): number | false {
  const messageStatus = channel.standing(message)
  if (isMessageBusy(messageStatus)) return POLL_INTERVAL_MS
  return isMessageValidated(messageStatus) && channel.isCampaign(message) && SCHEDULED_INTERVAL_MS
}

/** The message as it is stored; read again while the service takes it on by itself. */
export function useMessage(channel: MessageChannelSpec, id: string) {
  return useQuery({
    queryKey: [channel.kind.name, id],
    queryFn: ({ signal }) => channel.kind.read(id, { signal }),
    refetchOnWindowFocus: false,
    refetchInterval: ({ state: { data } }) => data !== undefined && findPollInterval(channel, data.data),
  })
}
