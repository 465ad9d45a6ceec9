import { once } from 'node:events'
import { startSink } from '../test/fakes/mail/smtp-sink.ts'

/**
 * A process of its own: an SMTP server that notes when each address that begins with "urgent" was named in RCPT. Reports its
 * port; answers any message from its parent with those instants (milliseconds since 1970) by address, and how many
 * messages it has taken.
 */
const seen: Record<string, number> = {}
const sink = await startSink({
  keep: 'count',
  behave({ stage, address }) {
    if (stage === 'rcpt' && address.startsWith('urgent')) seen[address] ??= Date.now()
    return undefined
  },
})
process.send?.({ port: sink.port })
process.on('message', () => process.send?.({ seen, messages: sink.counters.messages }))
await once(process, 'disconnect')
process.exit()
