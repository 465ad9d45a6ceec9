import { useQuery } from '@tanstack/react-query'
import { capturedMessagesQuery } from '../captured/captured.ts'
import { findChannelCarrier, gatewaysQuery } from '../gateways/model.ts'
import type { MessageChannelName } from './names.ts'

/** The clock of a capture and that of the test differ by the time that a message takes to be written. */
const TOLERANCE_MS = 5000

/** True if messages of the channel are captured instead of sent; undefined as long as that is not known. */
export function useIsChannelCaptured(channel: MessageChannelName): boolean | undefined {
  const { data } = useQuery(gatewaysQuery)
  return data && findChannelCarrier(data, channel) === undefined
}

/** Messages of a channel that were captured in a period. */
export function useCapturedTests(channel: MessageChannelName, { from, until }: { from: string; until: string }) {
  const { data = [] } = useQuery(capturedMessagesQuery)
  const [fromMs, untilMs] = [Date.parse(from), Date.parse(until) + TOLERANCE_MS]
  return data.filter((row) => {
    const capturedMs = Date.parse(row.date)
    return row.channel === channel && capturedMs >= fromMs && capturedMs <= untilMs
  })
}
