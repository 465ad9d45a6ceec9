import type { MessagePressure, Purpose } from './pressure-schemas.ts'

/** What the pressure settings of a message are: what the client gave, and by the purpose what it did not. */
export function messagePressure(given: Partial<MessagePressure>, purpose: Purpose): MessagePressure {
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
