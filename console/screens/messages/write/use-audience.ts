import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { valueAt } from '../../../components/form/pointers.ts'
import type { Channel, Message, Segments } from './channel.ts'

const PAUSE_MS = 300

const numbersAt = (message: Message, pointer: string): number[] => {
  const value = valueAt(message, pointer)
  return Array.isArray(value) ? value.map(Number) : []
}

export const segmentsOf = (channel: Channel, message: Message): Segments => ({
  selected: numbersAt(message, `${channel.segmentsAt}/selected`),
  excluded: numbersAt(message, `${channel.segmentsAt}/excluded`),
})

/** Who a message would reach with these segments; asked for a moment after the last change. */
export function useAudience(channel: Channel, message: Message) {
  const [segments] = useDebouncedValue(JSON.stringify(segmentsOf(channel, message)), PAUSE_MS)
  const asked = JSON.parse(segments) as Segments
  return useQuery({
    queryKey: ['audience', channel.name, message.id, segments],
    queryFn: () => channel.audience(String(message.id), asked),
    enabled: asked.selected.length > 0,
    placeholderData: (before) => before,
    staleTime: 30_000,
  })
}
