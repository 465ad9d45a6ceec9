import type { EditedMessage, MessageStatus } from './channel.ts'

/** States that the service leaves by itself: they are read again until it has. */
const TRANSIENT_STATES = new Set([30, 35, 36, 40, 55])
/** States in which a message cannot be changed. */
const LOCKED_STATES = new Set([30, 35, 36, 40, 55, 60])

const DRAFT_STATES = new Set([10, 20])

export const isMessageBusy = ({ state }: MessageStatus): boolean => state !== null && TRANSIENT_STATES.has(state)
export const isMessageLocked = ({ state }: MessageStatus): boolean => state !== null && LOCKED_STATES.has(state)
export const isMessageTesting = ({ state }: MessageStatus): boolean => state !== null && state >= 30 && state < 38
export const isMessageIncomplete = ({ state, isRepairable }: MessageStatus): boolean => state === 10 && !isRepairable
export const isMessageDraft = ({ state }: MessageStatus): boolean => state !== null && DRAFT_STATES.has(state)
export const isMessageTested = ({ state }: MessageStatus): boolean => state === 38
/** It goes out, or will at its date. */
export const isMessageValidated = ({ state, active }: MessageStatus): boolean => state === 50 || active === true
export const isMessageSending = ({ state }: MessageStatus): boolean => state === 55
export const isMessageFinished = ({ state }: MessageStatus): boolean => state === 60

/** True if the last test or validation failed, and the message is a draft for that reason. */
export const hasLastAttemptFailed = ({ informations }: EditedMessage): boolean =>
  ['failed', 'repair'].includes(informations?.lastValidation?.result ?? '')
