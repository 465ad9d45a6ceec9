import type { SmppFields } from './commands.ts'
import {
  cutSmppLink,
  openSmppLink,
  type SmppLink,
  SmppLinkFault,
  type SmppLinkOptions,
  sendSmppRequest,
} from './link.ts'
import type { SmppSecrets, SmppSettings } from './settings.ts'
import { formatSmppStatus } from './status.ts'

/** The purpose of a connection. */
export type SmppBindKind = 'transceiver' | 'transmitter' | 'receiver'

const INTERFACE_VERSION = 0x34

/** The message centre refused the bind. */
export class SmppBindRefused extends Error {
  readonly status: number

  constructor(status: number) {
    super(`the message centre refused the bind: ${formatSmppStatus(status)}`)
    this.status = status
  }
}

export interface SmppBindContext extends SmppLinkOptions {
  settings: SmppSettings
  secrets: SmppSecrets | undefined
}

/** Sends enquire_link after each interval of silence, and ends the connection when it is not answered. */
function monitorLink(link: SmppLink, { enquireMs, enquireAnswerMs }: SmppSettings): void {
  let isPending = false
  const timer = setTimeout(async () => {
    isPending = true
    try {
      await sendSmppRequest(link, 'enquire_link', {}, { timeoutMs: enquireAnswerMs })
    } catch {
      cutSmppLink(link, `no answer to enquire_link within ${enquireAnswerMs / 1000} s`)
    }
    isPending = false
    timer.refresh()
  }, enquireMs)
  // Any data shows that the connection is alive.
  link.socket.on('data', () => {
    if (!isPending) timer.refresh()
  })
  link.socket.once('close', () => clearTimeout(timer))
}

function bindFields(
  { systemType, addressRange }: SmppSettings,
  secrets: SmppSecrets | undefined,
): SmppFields<'bind_receiver'> {
  return {
    systemId: secrets?.systemId ?? '',
    password: secrets?.password ?? '',
    systemType,
    interfaceVersion: INTERFACE_VERSION,
    addrTon: 0,
    addrNpi: 0,
    addressRange,
  }
}

/**
 * Connects and binds. Receipts and replies are given to `serve`, as they may come right behind the answer to the
 * bind. Throws SmppLinkFault or SmppBindRefused.
 */
export async function openSmppBind(
  kind: SmppBindKind,
  context: SmppBindContext,
  serve?: SmppLink['serve'],
): Promise<SmppLink> {
  const { settings, secrets } = context
  const link = await openSmppLink(settings, context)
  if (serve !== undefined) link.serve = serve
  try {
    const fields = bindFields(settings, secrets)
    const { status } = await sendSmppRequest(link, `bind_${kind}`, fields, { timeoutMs: settings.connectMs })
    if (status !== 0) throw new SmppBindRefused(status)
    if (link.fault !== undefined) throw link.fault
    monitorLink(link, settings)
    return link
  } catch (error) {
    cutSmppLink(link, 'the bind failed')
    throw error instanceof SmppBindRefused
      ? error
      : new SmppLinkFault(error instanceof Error ? error.message : String(error))
  }
}
