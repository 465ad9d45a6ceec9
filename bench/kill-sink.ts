import { fork } from 'node:child_process'
import { once } from 'node:events'
import { startSink } from '../test/fakes/mail/smtp-sink.ts'
import { seeded } from '../test/fakes/scripts/seeded.ts'

/** Replies are kept back up to so long once a message was taken: what is killed meanwhile cannot know that it was. */
const SLOWEST_REPLY_MS = 6

/** What the sink says of itself. */
export interface SinkState {
  messages: number
  /** The most connections that stood at once as a message was taken. */
  mostOpen: number
}

/** An SMTP server of its own that lives through the whole run and remembers the stamp of every message it took. */
export interface KillSink {
  port: number
  state(): Promise<SinkState>
  /** Ends every connection as a broken network does. */
  cut(): Promise<SinkState>
  /** The stamps of all messages it took, in the order it took them. */
  stamps(): Promise<string[]>
  stop(): void
}

type Question = 'state' | 'cut' | 'stamps'

/** Starts the sink as a process of its own on loopback. It takes questions one at a time. */
export async function startKillSink(seed: number): Promise<KillSink> {
  const child = fork(import.meta.filename, [String(seed)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  async function ask<Answer>(question: Question): Promise<Answer> {
    const answer = once(child, 'message')
    child.send(question)
    return (await answer)[0] as Answer
  }
  return {
    port,
    state: () => ask('state'),
    cut: () => ask('cut'),
    stamps: () => ask('stamps'),
    stop: () => child.disconnect(),
  }
}

/** The id of the message's stamp: the left side of its Message-ID. */
function stampOf(bytes: Buffer): string {
  const head = bytes.toString('latin1', 0, bytes.indexOf('\r\n\r\n'))
  return /^message-id:\s*<([0-9a-f-]{36})@/im.exec(head)?.[1] ?? 'a message without a stamp'
}

async function serve(seed: number): Promise<void> {
  const random = seeded(seed)
  const stamps: string[] = []
  let mostOpen = 0
  const sink = await startSink({
    keep: 'pass',
    onMessage({ bytes }) {
      stamps.push(stampOf(bytes))
      mostOpen = Math.max(mostOpen, sink.open())
    },
    replyAfterMs: () => Math.ceil(random() * SLOWEST_REPLY_MS),
  })
  const state = (): SinkState => ({ messages: stamps.length, mostOpen })
  const answers: Readonly<Record<Question, () => unknown>> = {
    state,
    stamps: () => stamps,
    cut() {
      sink.cutAll()
      return state()
    },
  }
  process.send?.({ port: sink.port })
  process.on('message', (question: Question) => process.send?.(answers[question]()))
  process.on('disconnect', () => process.exit())
}

if (import.meta.main) await serve(Number(process.argv[2]))
