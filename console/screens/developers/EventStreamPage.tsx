import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { openEventStream } from '../../api/client.ts'
import { splitTextStream } from '../../api/parts.ts'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './Developers.module.css'
import { DevelopersPage } from './DevelopersPage.tsx'
import { developerTexts } from './texts.ts'

const MAX_EVENTS = 200

interface StreamEvent {
  id: string
  type: string
  data: string
}

/** One event of a stream (HTML standard, 9.2); undefined for comments. */
function parseEvent(eventBlock: string): StreamEvent | undefined {
  const eventMembers: Record<string, string> = {}
  for (const line of eventBlock.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? []
    if (name !== '') eventMembers[name] = name in eventMembers ? `${eventMembers[name]}\n${value}` : value
  }
  const { id = '', event = 'message', data } = eventMembers
  return data === undefined ? undefined : { id, type: event, data }
}

/** Reads events until the signal ends it. */
async function readEvents(signal: AbortSignal, onEvent: (parsedEvent: StreamEvent) => void): Promise<void> {
  for await (const eventBlock of splitTextStream(await openEventStream(signal), /\r?\n\r?\n/)) {
    const parsedEvent = parseEvent(eventBlock)
    if (parsedEvent) onEvent(parsedEvent)
  }
}

function formatData(data: string): string {
  try {
    return JSON.stringify(JSON.parse(data), null, 2)
  } catch {
    return data
  }
}

/** Events as they are published, newest first. */
export function EventStreamPage() {
  const t = useTranslator(developerTexts)
  const [isStreaming, setStreaming] = useState(true)
  const [events, setEvents] = useState<readonly StreamEvent[]>([])
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    if (!isStreaming) return
    const controller = new AbortController()
    setError(null)
    readEvents(controller.signal, (event) => {
      setEvents((before) => [event, ...before.filter(({ id }) => id !== event.id)].slice(0, MAX_EVENTS))
    }).then(
      () => setStreaming(false),
      (thrown: unknown) => {
        if (controller.signal.aborted) return
        setError(thrown)
        setStreaming(false)
      },
    )
    return () => controller.abort()
  }, [isStreaming])
  const toggleButton = (
    <Button variant="default" onClick={() => setStreaming(!isStreaming)}>
      {t(isStreaming ? 'pause' : 'resume')}
    </Button>
  )
  return (
    <DevelopersPage action={toggleButton}>
      <div className={styles['parts']}>
        <p className={styles['quiet']}>
          <StateBadge tone={isStreaming ? 'busy' : 'neutral'}>{t(isStreaming ? 'listening' : 'paused')}</StateBadge>{' '}
          {t('streamWhy')}
        </p>
        {error !== null && <ProblemAlert error={error} />}
        {events.map(({ id, type, data }) => (
          <details key={id} className={styles['event']}>
            <summary>
              <strong>{type}</strong> <code>{id}</code>
            </summary>
            <CodeBlock code={formatData(data)} label={type} wrap />
          </details>
        ))}
      </div>
    </DevelopersPage>
  )
}
