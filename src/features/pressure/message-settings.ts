import type { MessagePressure, MessagePurpose } from './pressure-schemas.ts'

/** Resolves the pressure settings of a message: those of the client, with defaults by the purpose. */
export function resolveMessagePressure(
  inputSettings: Partial<MessagePressure>,
  purpose: MessagePurpose,
): MessagePressure {
  const isMarketing = purpose === 'marketing'
  const { use: isUsed, increment, topic, priority, onLimit, postponeHours } = inputSettings
  return {
    use: isUsed ?? isMarketing,
    increment: increment ?? isMarketing,
    topic: topic ?? null,
    priority: priority ?? 50,
    onLimit: onLimit ?? 'cancel',
    postponeHours: postponeHours ?? 24,
  }
}
