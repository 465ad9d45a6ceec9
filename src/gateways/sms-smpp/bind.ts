import type { Fields } from './commands.ts'
import { ask, cutLink, type Link, LinkFault, type LinkOptions, openLink } from './link.ts'
import type { SmppSecrets, SmppSettings } from './settings.ts'
import { statusName } from './status.ts'

/** What a connection is for. */
export type BindKind = 'transceiver' | 'transmitter' | 'receiver'

const INTERFACE_VERSION = 0x34

/** The message centre refused the bind. */
export class BindRefused extends Error {
  readonly status: number

  constructor(status: number) {
    super(`the message centre refused the bind: ${statusName(status)}`)
    this.status = status
  }
}

export interface BindContext extends LinkOptions {
  settings: SmppSettings
  secrets: SmppSecrets | undefined
}

/** Sends enquire_link after each interval of silence, and ends the connection when it is not answered. */
function watch(link: Link, { enquireMs, enquireAnswerMs }: SmppSettings): void {
  let isAsked = false
  const timer = setTimeout(async () => {
    isAsked = true
    try {
      await ask(link, 'enquire_link', {}, { timeoutMs: enquireAnswerMs })
    } catch {
      cutLink(link, `no answer to enquire_link within ${enquireAnswerMs / 1000} s`)
    }
    isAsked = false
    timer.refresh()
  }, enquireMs)
  // Any data shows that the connection is alive.
  link.socket.on('data', () => {
    if (!isAsked) timer.refresh()
  })
  link.socket.once('close', () => clearTimeout(timer))
}

function bindFields(
  { systemType, addressRange }: SmppSettings,
  secrets: SmppSecrets | undefined,
): Fields<'bind_receiver'> {
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
 * bind. Throws LinkFault or BindRefused.
 */
export async function openBind(kind: BindKind, context: BindContext, serve?: Link['serve']): Promise<Link> {
  const { settings, secrets } = context
  const link = await openLink(settings, context)
  if (serve !== undefined) link.serve = serve
  try {
    const fields = bindFields(settings, secrets)
    const { status } = await ask(link, `bind_${kind}`, fields, { timeoutMs: settings.connectMs })
    if (status !== 0) throw new BindRefused(status)
    if (link.fault !== undefined) throw link.fault
    watch(link, settings)
    return link
  } catch (error) {
    cutLink(link, 'the bind failed')
    throw error instanceof BindRefused ? error : new LinkFault(error instanceof Error ? error.message : String(error))
  }
}
