import { Button, Group } from '@mantine/core'
import { useMemo, useState } from 'react'
import { api, data } from '../../../api/client.ts'
import type { Body } from '../../../api/shapes.ts'
import { Badge, type Tone } from '../../../components/Badge.tsx'
import { ContactField } from '../../../components/ContactField.tsx'
import { Panel } from '../../../components/layout/Panel.tsx'
import { Problem } from '../../../components/layout/Problem.tsx'
import { Time } from '../../../components/Time.tsx'
import { useAct } from '../../../components/use-act.ts'
import { useText } from '../../../text/catalogue.ts'
import { type Definition, pathTo, type Simulated } from '../calls.ts'
import { Graph } from '../canvas/Graph.tsx'
import { JsonField } from '../fields/JsonField.tsx'
import { PickField } from '../fields/PickField.tsx'
import { MomentField } from '../fields/TimeFields.tsx'
import { fieldTexts } from '../fields/texts.ts'
import type { Step } from '../model/graph.ts'
import { workflowTexts } from '../texts.ts'
import { memberWords, statusWords, typeWords } from '../type-words.ts'
import styles from '../Workflows.module.css'
import { SimulatedEvents } from './SimulatedEvents.tsx'
import { nodeName, pathOf, TraceList } from './TraceList.tsx'
import { type Trial, useTrial } from './use-trial.ts'

type Asked = Body<'/scripting/workflows/{id}/simulation', 'post'>

const TONES: Readonly<Record<string, Tone>> = { completed: 'good', failed: 'bad', waiting: 'busy' }

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0)

/** What a node would have done, member by member. */
function Effect({ value }: { value: unknown }) {
  const own = useText(fieldTexts)
  const members = Object.entries((value ?? {}) as object).filter(([, member]) => !isEmpty(member))
  return (
    <dl className={styles['members']}>
      {members.map(([name, member]) => (
        <div key={name}>
          <dt>{memberWords(own, name)}</dt>
          <dd>
            <code>{typeof member === 'string' ? member : JSON.stringify(member)}</code>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Found({ steps, found }: { steps: readonly Step[]; found: Simulated }) {
  const t = useText(workflowTexts)
  const { status = 'failed', outcome, reason, clock, effects = [], trace = [], value } = found
  const message = value?.['message']
  return (
    <div className={styles['found']}>
      <p role="status">
        <Badge tone={TONES[status] ?? 'neutral'}>{statusWords(t, status)}</Badge>{' '}
        {outcome && <strong>{t('outcomeOf', { outcome })}</strong>} {clock && <Time at={clock} as="moment" />}
      </p>
      {found.type === 'error' && (
        <p className={styles['fault']} role="alert">
          {t('stoppedBy', { reason: [value?.type, message].filter(Boolean).join(': ') })}
        </p>
      )}
      {reason && <p>{reason}</p>}
      <h3>{t('effects')}</h3>
      {effects.length === 0 && <p>{t('noEffects')}</p>}
      <ol className={styles['effects']} aria-label={t('effects')}>
        {effects.map((effect, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: effects have no name but their place.
          <li key={n}>
            <strong>
              <bdi>{nodeName(steps, effect.node)}</bdi>
            </strong>{' '}
            <small>{typeWords(t, effect.type)}</small> <Time at={effect.at} as="moment" />
            <Effect value={effect.value} />
          </li>
        ))}
      </ol>
      <h3>{t('path')}</h3>
      <TraceList steps={steps} trace={trace} />
    </div>
  )
}

const bodyOf = ({ contact, clock, node, events, data: own, event, responses }: Omit<Trial, 'nodes'>): Asked =>
  ({
    receiver: contact === null ? null : { type: 'id', value: contact },
    ...{ clock, node, events: events ?? [], data: own ?? null, event: event ?? null, responses: responses ?? null },
  }) as Asked

/** What the stored workflow would do for a contact, with nothing sent. */
export function Simulation({ workflow }: { workflow: Definition }) {
  const [t, own] = [useText(workflowTexts), useText(fieldTexts)]
  const [found, setFound] = useState<Simulated | null>(null)
  const steps = workflow.nodes as unknown as Step[]
  const act = useAct(async () => {
    const path = '/scripting/workflows/{id}/simulation' as const
    setFound(await data(api.POST(path, { ...pathTo(String(workflow.id)), body: bodyOf(given) })))
  })
  const { form, given, clear } = useTrial(workflow.id, steps, act.error)
  const path = useMemo(() => pathOf(found?.trace ?? [], found?.node), [found])
  const isMore = !isEmpty(given.data) || !isEmpty(given.event) || !isEmpty(given.responses) || given.node !== null
  const [isOpen] = useState(isMore)
  const common = { form, isReadOnly: false }
  return (
    <div className={styles['editor']} data-aside-first>
      <Graph steps={steps} path={path} />
      <Panel title={t('simulation')}>
        <form className={styles['fields']} onSubmit={act.submit}>
          <p className={styles['why']}>{t('simulationWhy')}</p>
          <ContactField
            label={t('contact')}
            help={t('contactWhy')}
            value={given.contact}
            onChange={(id) => form.set('/contact', id)}
          />
          <MomentField {...common} at="/clock" label={t('clock')} help={t('clockWhy')} />
          <SimulatedEvents form={form} begin={given.clock} />
          <details className={styles['item']} open={isOpen}>
            <summary>{t('moreGiven')}</summary>
            <div className={styles['fields']}>
              <PickField {...common} at="/node" of="node" label={own('set-handler')} />
              <JsonField {...common} at="/data" label={t('givenData')} />
              <JsonField {...common} at="/event" label={t('givenEvent')} />
              <JsonField {...common} at="/responses" label={t('givenResponses')} />
            </div>
          </details>
          <Group gap={8}>
            <Button type="submit" loading={act.isBusy}>
              {t('simulate')}
            </Button>
            <Button variant="default" onClick={clear}>
              {t('clear')}
            </Button>
          </Group>
          {act.error !== null && <Problem error={act.error} />}
        </form>
        {found && <Found steps={steps} found={found} />}
      </Panel>
    </div>
  )
}
