import { Button, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import { api, data } from '../../api/client.ts'
import type { Body } from '../../api/shapes.ts'
import { CodeEditor } from '../../parts/code/CodeEditor.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { Problem } from '../../parts/Problem.tsx'
import { Time } from '../../parts/Time.tsx'
import { useAct } from '../../parts/use-act.ts'
import { useText } from '../../text/catalogue.ts'
import { type Definition, pathTo, type Simulated } from './calls.ts'
import { Graph } from './Graph.tsx'
import type { Step } from './model/graph.ts'
import { nodeName, TraceList } from './TraceList.tsx'
import { workflowTexts } from './texts.ts'
import { typeWords } from './type-words.ts'
import styles from './Workflows.module.css'

type Asked = Body<'/scripting/workflows/{id}/simulation', 'post'>

const EVENTS = '[]'

/** A contact by the address or by the id. */
function receiverOf(words: string) {
  const value = words.trim()
  if (value === '') return null
  return value.includes('@') ? { type: 'unicity', value: [value] } : { type: 'id', value }
}

function Found({ steps, found }: { steps: readonly Step[]; found: Simulated }) {
  const t = useText(workflowTexts)
  if (found.type === 'error') return <p className={styles['fault']}>{found.value?.type}</p>
  return (
    <>
      <p role="status">
        <strong>{t('ended', { status: found.status ?? '' })}</strong> {found.outcome}{' '}
        {found.clock && <Time at={found.clock} as="date" />}
      </p>
      <h3>{t('effects')}</h3>
      {found.effects?.length === 0 && <p>{t('noEffects')}</p>}
      <ol className={styles['effects']} aria-label={t('effects')}>
        {found.effects?.map(({ node, type, at, value }) => (
          <li key={`${node}${at}${type}`}>
            <strong>
              <bdi>{nodeName(steps, node)}</bdi>
            </strong>{' '}
            <small>{typeWords(t, type)}</small> <Time at={at} as="date" />
            <code>{JSON.stringify(value)}</code>
          </li>
        ))}
      </ol>
      <h3>{t('path')}</h3>
      <TraceList steps={steps} trace={found.trace ?? []} />
    </>
  )
}

/** What the stored workflow would do for a contact, with nothing sent. */
export function Simulation({ workflow }: { workflow: Definition }) {
  const t = useText(workflowTexts)
  const [contact, setContact] = useState('')
  const [clock, setClock] = useState('')
  const [events, setEvents] = useState(EVENTS)
  const [found, setFound] = useState<Simulated | null>(null)
  const { error, isBusy, submit } = useAct(async () => {
    const body = {
      receiver: receiverOf(contact),
      clock: clock === '' ? null : new Date(clock).toISOString(),
      events: JSON.parse(events),
    }
    setFound(
      await data(
        api.POST('/scripting/workflows/{id}/simulation', {
          ...pathTo(String(workflow.id)),
          body: body as unknown as Asked,
        }),
      ),
    )
  })
  const steps = workflow.nodes as unknown as Step[]
  const path = useMemo(() => (found?.trace ?? []).map(({ node }) => node), [found])
  return (
    <div className={styles['editor']}>
      <Graph steps={steps} path={path} />
      <Panel title={t('simulation')}>
        <form className={styles['fields']} onSubmit={submit}>
          <p>{t('simulationWhy')}</p>
          <TextInput label={t('contact')} value={contact} onChange={(event) => setContact(event.currentTarget.value)} />
          <TextInput
            type="datetime-local"
            label={t('clock')}
            value={clock}
            onChange={(event) => setClock(event.currentTarget.value)}
          />
          <CodeEditor language="json" label={t('events')} minHeight={56} value={events} onChange={setEvents} />
          <div>
            <Button type="submit" loading={isBusy}>
              {t('simulate')}
            </Button>
          </div>
          {error !== null && <Problem error={error} />}
        </form>
        {found && <Found steps={steps} found={found} />}
      </Panel>
    </div>
  )
}
