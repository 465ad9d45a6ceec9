import { fork } from 'node:child_process'
import { once } from 'node:events'

/** What a sink has taken. */
export interface SinkCount {
  messages: number
  octets: number
}

/** An SMTP sink in a process of its own. */
export interface SinkProcess {
  port: number
  pid: number
  count(): Promise<SinkCount>
  stop(): void
}

/** Starts an SMTP server on loopback that takes and counts what it is given, in a process of its own. */
export async function startSinkProcess(): Promise<SinkProcess> {
  const child = fork(new URL('../test/fakes/mail/smtp-sink.ts', import.meta.url), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    port,
    pid: child.pid ?? 0,
    stop: () => child.disconnect(),
    async count() {
      const answer = once(child, 'message')
      child.send('count')
      return (await answer)[0] as SinkCount
    },
  }
}
