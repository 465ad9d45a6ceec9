import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { readPointerValue } from '../../../components/form/pointers.ts'
import type { EditedMessage, MessageChannelSpec, MessageSegments } from './channel.ts'

const REQUEST_DELAY_MS = 300

const readNumbers = (message: EditedMessage, pointer: string): number[] => {
  const value = readPointerValue(message, pointer)
  return Array.isArray(value) ? value.map(Number) : []
}

export const readMessageSegments = (channel: MessageChannelSpec, message: EditedMessage): MessageSegments => ({
  selected: readNumbers(message, `${channel.segmentsAt}/selected`),
  excluded: readNumbers(message, `${channel.segmentsAt}/excluded`),
})

/** Audience that the segments of a message would reach; requested shortly after the last change. */
export function useMessageAudience(channel: MessageChannelSpec, message: EditedMessage) {
  const [segmentsKey] = useDebouncedValue(JSON.stringify(readMessageSegments(channel, message)), REQUEST_DELAY_MS)
  const requestedSegments = JSON.parse(segmentsKey) as MessageSegments
  return useQuery({
    queryKey: ['audience', channel.name, message.id, segmentsKey],
    queryFn: () => channel.audience(String(message.id), requestedSegments),
    enabled: requestedSegments.selected.length > 0,
    placeholderData: (before) => before,
    staleTime: 30_000,
  })
}
