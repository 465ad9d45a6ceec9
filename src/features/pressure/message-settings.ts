import type { MessagePressure, MessagePurpose } from './pressure-schemas.ts'

/** What the pressure settings of a message are: what the client gave, and by the purpose what it did not. */
export function resolveMessagePressure(given: Partial<MessagePressure>, purpose: MessagePurpose): MessagePressure {
  const isMarketing = purpose === 'marketing'
  const { use, increment, topic, priority, onLimit, postponeHours } = given
  return {
    use: use ?? isMarketing,
    increment: increment ?? isMarketing,
    topic: topic ?? null,
    priority: priority ?? 50,
    onLimit: onLimit ?? 'cancel',
    postponeHours: postponeHours ?? 24,
  }
}
