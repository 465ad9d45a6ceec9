import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { readPointerValue } from '../../../components/form/pointers.ts'
import type { EditedMessage, MessageChannelSpec, MessageSegments } from './channel.ts'

const PAUSE_MS = 300

const numbersAt = (message: EditedMessage, pointer: string): number[] => {
  const value = readPointerValue(message, pointer)
  return Array.isArray(value) ? value.map(Number) : []
}

export const readMessageSegments = (channel: MessageChannelSpec, message: EditedMessage): MessageSegments => ({
  selected: numbersAt(message, `${channel.segmentsAt}/selected`),
  excluded: numbersAt(message, `${channel.segmentsAt}/excluded`),
})

/** Who a message would reach with these segments; asked for a moment after the last change. */
export function useMessageAudience(channel: MessageChannelSpec, message: EditedMessage) {
  const [segments] = useDebouncedValue(JSON.stringify(readMessageSegments(channel, message)), PAUSE_MS)
  const asked = JSON.parse(segments) as MessageSegments
  return useQuery({
    queryKey: ['audience', channel.name, message.id, segments],
    queryFn: () => channel.audience(String(message.id), asked),
    enabled: asked.selected.length > 0,
    placeholderData: (before) => before,
    staleTime: 30_000,
  })
}
