import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'

/** A conversation with a mail server, word by word: what a test says is what goes out. */
export interface MailClient {
  /** Sends a line and gives the last line of the answer. */
  say(line: string): Promise<string>
  /** Sends bytes as they are, without waiting. */
  write(bytes: string | Buffer): void
  /** The last line of the next answer. */
  answer(): Promise<string>
  socket: Socket
  close(): void
}

/** Connects, and has been greeted. */
export async function openMailClient(port: number): Promise<MailClient> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
  const answer = async (): Promise<string> => {
    let line = await lines.next()
    while (!line.done && !/^\d{3}(?: |$)/.test(line.value)) line = await lines.next()
    return line.done ? '' : line.value
  }
  await answer()
  return {
    socket,
    answer,
    write: (bytes) => void socket.write(bytes),
    async say(line) {
      socket.write(`${line}\r\n`)
      return answer()
    },
    close: () => socket.destroy(),
  }
}

/**
 * Delivers a mail as servers do, from the null sender; gives the answer that decided: of the first recipient refused, or
 * of the mail.
 */
export async function deliver(port: number, to: string | readonly string[], mail: string | Buffer): Promise<string> {
  const client = await openMailClient(port)
  try {
    await client.say('EHLO relay.example')
    await client.say('MAIL FROM:<>')
    for (const address of [to].flat()) {
      const answer = await client.say(`RCPT TO:<${address}>`)
      if (!answer.startsWith('250')) return answer
    }
    await client.say('DATA')
    const stuffed = mail.toString('latin1').replace(/^\./gm, '..')
    client.write(Buffer.from(stuffed, 'latin1'))
    return await client.say(`${stuffed.endsWith('\r\n') ? '' : '\r\n'}.`)
  } finally {
    client.close()
  }
}
