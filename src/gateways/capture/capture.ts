import { constants } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { formatErrorReason } from '../../lib/errors/reason.ts'
import type { Clock } from '../../lib/time/clock.ts'
import {
  type GatewayChannelName,
  type GatewayOutcome,
  getDeliveryKey,
  type MessageGateway,
  type OutgoingMessage,
  type SendBatchListener,
  type SendBatchResult,
} from '../gateway.ts'
import { trimCapturedMessages, writeCapturedMessage } from './files.ts'

/** Maximum number of stored messages; the oldest ones are removed. They are counted on the disk again after every `PRUNE_INTERVAL_MESSAGES` writes. */
const MAX_STORED_MESSAGES = 10_000
const PRUNE_INTERVAL_MESSAGES = 500

/** Delay after the disk refuses a message. */
const DISK_PAUSE_MS = 10_000

interface CaptureContext {
  dataDir: string
  clock: Clock
}

/** Stores one message. An error of the disk becomes the outcome. */
async function captureMessage(
  message: OutgoingMessage,
  listener: SendBatchListener,
  { dataDir, clock }: CaptureContext,
): Promise<GatewayOutcome> {
  const { id, sequence } = message
  const commonOutcome = { id, mta: '', ...(sequence !== undefined && { sequence }) }
  try {
    listener.beforeBody?.(getDeliveryKey(message))
    const reference = await writeCapturedMessage(dataDir, message, clock.now())
    const delivered = 'contentMessage' in message ? { delivered: true as const } : {}
    return { ...commonOutcome, result: 'accepted', reference, reply: '250 2.0.0 captured', ...delivered }
  } catch (error) {
    return {
      ...commonOutcome,
      result: 'deferred',
      stage: 'data',
      reply: formatErrorReason(error),
      retryAfterMs: DISK_PAUSE_MS,
    }
  }
}

/** Sends nothing: messages become files that `/captured` shows. The default of every channel until a gateway is set up. */
export function openCaptureGateway(name: string, channel: GatewayChannelName, context: CaptureContext): MessageGateway {
  const { dataDir } = context
  let sincePrune = PRUNE_INTERVAL_MESSAGES
  let isClosed = false

  async function captureBatch(batch: Iterable<OutgoingMessage>, listener: SendBatchListener): Promise<SendBatchResult> {
    let acceptedCount = 0
    for (const message of batch) {
      if (isClosed || listener.signal?.aborted)
        return { taken: acceptedCount, stop: { why: 'aborted', detail: 'the sender is stopping' } }
      acceptedCount++
      const outcome = await captureMessage(message, listener, context)
      listener.outcome(outcome)
      if (outcome.result === 'deferred')
        return { taken: acceptedCount, stop: { why: 'down', detail: outcome.reply, retryAfterMs: DISK_PAUSE_MS } }
      if (++sincePrune >= PRUNE_INTERVAL_MESSAGES) {
        sincePrune = 0
        await trimCapturedMessages(dataDir, MAX_STORED_MESSAGES)
      }
    }
    return { taken: acceptedCount }
  }

  async function checkDirectory() {
    const directory = join(dataDir, 'captured')
    try {
      await mkdir(directory, { recursive: true })
      await access(directory, constants.W_OK)
      return { ok: true, detail: `messages are stored in ${directory} and not sent` }
    } catch (error) {
      return { ok: false, detail: `${directory} cannot be written: ${formatErrorReason(error)}` }
    }
  }

  async function closeGateway(): Promise<void> {
    isClosed = true
  }

  return { name, kind: 'capture', channel, send: captureBatch, check: checkDirectory, close: closeGateway }
}
