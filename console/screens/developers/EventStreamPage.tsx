import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { apiClient } from '../../api/client.ts'
import { splitTextStream } from '../../api/parts.ts'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './Developers.module.css'
import { DevelopersPage } from './DevelopersPage.tsx'
import { developerTexts } from './texts.ts'

const KEPT = 200

interface Event {
  id: string
  type: string
  data: string
}

/** One event of a stream (HTML standard, 9.2); undefined for comments. */
function eventOf(block: string): Event | undefined {
  const members: Record<string, string> = {}
  for (const line of block.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? []
    if (name !== '') members[name] = name in members ? `${members[name]}\n${value}` : value
  }
  const { id = '', event = 'message', data } = members
  return data === undefined ? undefined : { id, type: event, data }
}

/** Reads events until the signal ends it. */
async function follow(signal: AbortSignal, onEvent: (event: Event) => void): Promise<void> {
  const headers = { accept: 'text/event-stream' }
  const { response } = await apiClient.GET('/events/stream', { headers, parseAs: 'stream', signal })
  for await (const block of splitTextStream(response.body, /\r?\n\r?\n/)) {
    const event = eventOf(block)
    if (event) onEvent(event)
  }
}

function written(data: string): string {
  try {
    return JSON.stringify(JSON.parse(data), null, 2)
  } catch {
    return data
  }
}

/** Events as they are published, newest first. */
export function EventStreamPage() {
  const t = useTranslator(developerTexts)
  const [isOn, setOn] = useState(true)
  const [events, setEvents] = useState<readonly Event[]>([])
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    if (!isOn) return
    const controller = new AbortController()
    setError(null)
    follow(controller.signal, (event) => {
      setEvents((before) => [event, ...before.filter(({ id }) => id !== event.id)].slice(0, KEPT))
    }).then(
      () => setOn(false),
      (thrown: unknown) => {
        if (controller.signal.aborted) return
        setError(thrown)
        setOn(false)
      },
    )
    return () => controller.abort()
  }, [isOn])
  const action = (
    <Button variant="default" onClick={() => setOn(!isOn)}>
      {t(isOn ? 'pause' : 'resume')}
    </Button>
  )
  return (
    <DevelopersPage action={action}>
      <div className={styles['parts']}>
        <p className={styles['quiet']}>
          <StateBadge tone={isOn ? 'busy' : 'neutral'}>{t(isOn ? 'listening' : 'paused')}</StateBadge> {t('streamWhy')}
        </p>
        {error !== null && <ProblemAlert error={error} />}
        {events.map(({ id, type, data }) => (
          <details key={id} className={styles['event']}>
            <summary>
              <strong>{type}</strong> <code>{id}</code>
            </summary>
            <CodeBlock code={written(data)} label={type} wrap />
          </details>
        ))}
      </div>
    </DevelopersPage>
  )
}
